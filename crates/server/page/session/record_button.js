// @ts-check
// The button that records the session that is shown large, for who may touch it.
//
// The server keeps what is recorded, and anybody may begin or end it, so that is asked again with every new list.
//
// Elsewhere: what becomes of it (`cassette/cassette_list.js`, `cassette/player.js`).

import { recordingOf, startRecording, stopRecording } from "../protocol/cassettes.js";

export class Recording {
  /** @param {HTMLButtonElement} button @param {{ begun: () => void, kept: (name: string) => void, failed: (error: unknown) => void }} told */
  constructor(button, told) {
    this.button = button;
    this.told = told;
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

  /** Asks whether it is recorded. */
  async refresh() {
    const { session } = this;
    if (session === null || this.isBusy) return;
    // A server that knows of no cassettes, or a session that is gone, has nothing to press.
    const told = await recordingOf(session).catch(() => null);
    if (session !== this.session || this.isBusy) return;
    this.button.hidden = told === null;
    if (told !== null) this.show(told.recording);
  }

  /** @param {boolean} isRecording */
  show(isRecording) {
    this.isRecording = isRecording;
    if (this.button.classList.contains("recording") === isRecording) return;
    this.button.classList.toggle("recording", isRecording);
    const rest = document.createElement("span");
    rest.className = "wide";
    rest.textContent = " recording";
    this.button.replaceChildren(...(isRecording ? ["Stop", rest] : ["Record"]));
    this.button.setAttribute("aria-label", isRecording ? "Stop recording" : "Record");
  }

  async toggle() {
    const { session, isRecording } = this;
    if (session === null || this.isBusy) return;
    this.isBusy = true;
    try {
      if (isRecording) this.told.kept((await stopRecording(session)).name);
      else {
        await startRecording(session);
        this.told.begun();
      }
    } catch (error) {
      this.told.failed(error);
    } finally {
      this.isBusy = false;
    }
    await this.refresh();
  }
}
