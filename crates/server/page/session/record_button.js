// @ts-check
// The button that records the shown session, for clients with write access.
//
// Any client may start or stop a recording, so its state is requested again with every new list of
// sessions.
//
// See also: `cassette/cassette_list.js` and `cassette/player.js` (the resulting cassettes).

import { recordingStatus, startRecording, stopRecording } from "../protocol/cassettes.js";

export class RecordButton {
  /**
   * @param {HTMLButtonElement} button
   * @param {{ started: () => void, saved: (name: string) => void, failed: (error: unknown) => void }} callbacks
   */
  constructor(button, callbacks) {
    this.button = button;
    this.callbacks = callbacks;
    /** @type {string | null} */
    this.session = null;
    this.isRecording = false;
    this.isBusy = false;
    button.onclick = () => this.toggle();
  }

  /** @param {string | null} session */
  setSession(session) {
    if (session !== this.session) {
      this.session = session;
      this.button.hidden = true;
    }
    this.refresh();
  }

  /** Requests whether the session is being recorded. */
  async refresh() {
    const { session } = this;
    if (session === null || this.isBusy) return;
    // Without an answer, for example because the session is gone, the button is hidden.
    const status = await recordingStatus(session).catch(() => null);
    if (session !== this.session || this.isBusy) return;
    this.button.hidden = status === null;
    if (status !== null) this.show(status.recording);
  }

  /** @param {boolean} isRecording */
  show(isRecording) {
    this.isRecording = isRecording;
    if (this.button.classList.contains("recording") === isRecording) return;
    this.button.classList.toggle("recording", isRecording);
    const suffix = document.createElement("span");
    suffix.className = "wide";
    suffix.textContent = " recording";
    this.button.replaceChildren(...(isRecording ? ["Stop", suffix] : ["Record"]));
    this.button.setAttribute("aria-label", isRecording ? "Stop recording" : "Record");
  }

  async toggle() {
    const { session, isRecording } = this;
    if (session === null || this.isBusy) return;
    this.isBusy = true;
    try {
      if (isRecording) this.callbacks.saved((await stopRecording(session)).name);
      else {
        await startRecording(session);
        this.callbacks.started();
      }
    } catch (error) {
      this.callbacks.failed(error);
    } finally {
      this.isBusy = false;
    }
    await this.refresh();
  }
}
