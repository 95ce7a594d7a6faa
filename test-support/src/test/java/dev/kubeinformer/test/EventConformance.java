package dev.kubeinformer.test;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.node.ObjectNode;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The events of controllers: which are accepted, and what of them may change.
 */
abstract class EventConformance extends Conformance {

	private static final String EVENTS = "/apis/events.k8s.io/v1/namespaces/NS/events";

	private static final String EVENT = """
			{kind: 'Event', apiVersion: 'events.k8s.io/v1', metadata: {name: 'e'},
			eventTime: '2026-01-01T00:00:00.000000Z', reportingController: 'example.com/c', reportingInstance: 'i-1',
			action: 'Reconcile', reason: 'Done', type: 'Normal', note: 'n',
			regarding: {kind: 'Pod', apiVersion: 'v1', namespace: 'NS', name: 'p', uid: 'u'}}""";

	EventConformance(ApiTarget target) {
		super(target);
	}

	@Test
	void seriesShouldBePatched() {
		post(EVENTS, EVENT).hasCode(201);
		Answer series = mergePatch(EVENTS + "/e",
				"{series: {count: 2, lastObservedTime: '2026-01-01T00:01:00.000000Z'}}")
			.hasCode(200);
		assertThat(series.body().at("/series/count").asInt()).isEqualTo(2);
		patch("application/strategic-merge-patch+json", EVENTS + "/e",
				"{series: {count: 3, lastObservedTime: '2026-01-01T00:02:00.000000Z'}}")
			.hasCode(200);
		mergePatch(EVENTS + "/e", "{series: {count: 0}}").isRejected(422, "Invalid",
				"Event \"e\" is invalid: series.count: Invalid value: \"\": should be at least 2");
		mergePatch(EVENTS + "/missing", "{series: {count: 2}}").hasCode(404);
	}

	@ParameterizedTest
	@CsvSource(delimiter = '|', textBlock = """
			note                | other         | message
			reason              | Other         | reason
			type                | Warning       | type
			action              | Other         | action
			reportingController | example.com/d | reportingController
			reportingInstance   | j             | reportingInstance
			""")
	void eventWhenChangedInMoreThanItsSeriesShouldBeRefused(String field, String value, String name) {
		post(EVENTS, EVENT).hasCode(201);
		mergePatch(EVENTS + "/e", "{" + field + ": '" + value + "'}").isRejected(422, "Invalid",
				"Event \"e\" is invalid: " + name + ": Invalid value: \"" + value + "\": field is immutable");
	}

	@ParameterizedTest
	@CsvSource(delimiter = '|', textBlock = """
			eventTime                |               | eventTime: Required value
			reportingInstance        |               | reportingInstance: Required value
			action                   |               | action: Required value
			reason                   |               | reason: Required value
			type                     | Odd           | type: Invalid value: "": has invalid value: Odd
			deprecatedFirstTimestamp | 2026-01-01T00:00:00Z | firstTimestamp: Invalid value: "": needs to be unset
			""", quoteCharacter = '`')
	void eventWhenIncompleteShouldBeRefused(String field, String value, String why) {
		ObjectNode event = Answer.parse(EVENT);
		event.remove(field);
		if (value != null) {
			event.put(field, value);
		}
		post(EVENTS, event.toString()).isRejected(422, "Invalid", "Event \"e\" is invalid: " + why);
	}

	@ParameterizedTest
	@ValueSource(ints = { 128, 129 })
	void textShouldHaveALimit(int length) {
		ObjectNode event = Answer.parse(EVENT).put("action", "x".repeat(length)).put("note", "y".repeat(1024));
		Answer answer = post(EVENTS, event.toString());
		if (length > 128) {
			answer.isRejected(422, "Invalid",
					"Event \"e\" is invalid: action: Invalid value: \"\": can have at most 128 characters");
		}
		else {
			answer.hasCode(201);
		}
	}

	@ParameterizedTest
	@CsvSource({ "y, 1025", "\u00e4, 513" })
	void noteShouldHaveALimitOfBytes(String letter, int length) {
		post(EVENTS, Answer.parse(EVENT).put("note", letter.repeat(length)).toString()).isRejected(422, "Invalid",
				"Event \"e\" is invalid: message: Invalid value: \"\": can have at most 1024 characters");
	}

	@Test
	void reportingControllerShouldBeAQualifiedName() {
		post(EVENTS, Answer.parse(EVENT).put("reportingController", "x".repeat(64)).toString()).isRejected(422,
				"Invalid", "Event \"e\" is invalid: reportingController: Invalid value: \"" + "x".repeat(64)
						+ "\": name part must be no more than 63 " + since(35, "bytes", "characters"));
	}

	@Test
	void eventTimeShouldHaveMicroseconds() {
		post(EVENTS, EVENT.replace(".000000Z", ".123Z")).hasCode(400);
		post(EVENTS, EVENT.replace(".000000Z", "Z")).hasCode(400);
	}

	@Test
	void eventAboutObjectOfTheClusterShouldBeInTheDefaultNamespace() {
		String regarding = EVENT.replace(" namespace: 'NS',", "");
		post(EVENTS, regarding).isRejected(422, "Invalid",
				"Event \"e\" is invalid: involvedObject.namespace: Invalid value: \"\": does not match event.namespace");
		String name = "e-" + namespace();
		post("/apis/events.k8s.io/v1/namespaces/default/events", regarding.replace("name: 'e'", "name: '" + name + "'"))
			.hasCode(201);
		delete("/apis/events.k8s.io/v1/namespaces/default/events/" + name).hasCode(200);
	}

}
