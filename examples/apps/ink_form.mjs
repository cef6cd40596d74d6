// An Ink app that asks for a name and a colour.
// Needs ink, ink-text-input, ink-select-input and react in node_modules.
import {createElement as h, useEffect, useState} from 'react';
import {Box, Text, render, useApp} from 'ink';
import TextInput from 'ink-text-input';
import SelectInput from 'ink-select-input';

const COLOURS = ['red', 'green', 'blue'].map(colour => ({label: colour, value: colour}));

function Name({onSubmit}) {
	const [name, setName] = useState('');
	return h(Box, null, h(Text, null, 'Your name: '), h(TextInput, {value: name, onChange: setName, onSubmit}));
}

function Colour({onSelect}) {
	return h(
		Box,
		{flexDirection: 'column'},
		h(Text, null, 'Your colour:'),
		h(SelectInput, {items: COLOURS, onSelect: item => onSelect(item.value)}),
	);
}

function Form() {
	const {exit} = useApp();
	const [name, setName] = useState();
	const [colour, setColour] = useState();
	useEffect(() => {
		if (colour !== undefined) {
			exit();
		}
	}, [colour]);
	if (name === undefined) {
		return h(Name, {onSubmit: setName});
	}

	if (colour === undefined) {
		return h(Colour, {onSelect: setColour});
	}

	return h(Text, null, `Saved: ${name}, ${colour}.`);
}

render(h(Form));
