package dev.kubeinformer.test;

import java.io.IOException;
import java.util.List;

import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeFalse;

/**
 * Watches: where they begin, what they send and how they end.
 */
abstract class WatchConformance extends Conformance {

	private static final String STREAMING = "?watch=true&sendInitialEvents=true&resourceVersionMatch=NotOlderThan";

	WatchConformance(ApiTarget target) {
		super(target);
	}

	@Test
	void watchFromResourceVersionShouldTellWhatComesAfterIt() throws IOException {
		create("a");
		Answer from = create("b");
		create("c", "{app: 'web'}");
		update("a", "{}", "2");
		delete(SECRETS + "/b").hasCode(200);
		LineStream watch = watch(SECRETS + "?watch=true&resourceVersion=" + from.resourceVersion());
		assertThat(watch.contentType()).isEqualTo("application/json");
		assertThat((Object) watch.event()).isEqualTo(Answer.parse("""
				{type: 'ADDED', object: {kind: 'Secret', apiVersion: 'v1', metadata: {name: 'c', namespace: 'NS',
				uid: 'UID', resourceVersion: 'RV', creationTimestamp: 'TIME', labels: {app: 'web'}},
				data: {v: 'MQ=='}, type: 'Opaque'}}"""));
		long first = Long.parseLong(watch.lastResourceVersion());
		assertThat(watch.next()).isEqualTo("MODIFIED a");
		assertThat(watch.next()).isEqualTo("DELETED b");
		// The object of a delete carries the revision of the delete.
		assertThat(Long.parseLong(watch.lastResourceVersion())).isGreaterThan(first);
		create("d");
		assertThat(watch.next()).isEqualTo("ADDED d");
	}

	@Test
	void watchFromZeroShouldBeginWithWhatThereIs() throws IOException {
		create("a");
		Answer last = create("b");
		catchUp(last);
		LineStream watch = watch(SECRETS + "?watch=true&resourceVersion=0");
		assertThat(watch.next()).isEqualTo("ADDED a");
		assertThat(watch.next()).isEqualTo("ADDED b");
		create("c");
		assertThat(watch.next()).isEqualTo("ADDED c");
	}

	@Test
	void watchWithoutResourceVersionShouldBeginWithWhatThereIs() throws IOException {
		create("a");
		LineStream watch = watch(SECRETS + "?watch=true");
		assertThat(watch.next()).isEqualTo("ADDED a");
		update("a", "{}", "2");
		assertThat(watch.next()).isEqualTo("MODIFIED a");
	}

	@Test
	void watchWhenParameterIsAnyWordShouldBeOne() throws IOException {
		create("a");
		assertThat(watch(SECRETS + "?watch=1").next()).isEqualTo("ADDED a");
		assertThat(watch(SECRETS + "?watch=").next()).isEqualTo("ADDED a");
		get(SECRETS + "?watch=false").hasCode(200);
		get(SECRETS + "?watch=0").hasCode(200);
	}

	@Test
	void watchPathShouldBeServedByClustersOnly() throws IOException {
		create("a");
		for (String path : List.of("/api/v1/watch/namespaces/NS/secrets", "/api/v1/watch/namespaces/NS/secrets/a")) {
			assertThat(watch(path).code()).isEqualTo(expected(Difference.WATCH_PATHS, 404, 200));
		}
	}

	@Test
	void watchOfOneObjectShouldTellOnlyOfIt() throws IOException {
		create("a");
		Answer from = create("b");
		LineStream watch = watch(
				SECRETS + "?watch=true&fieldSelector=metadata.name=b&resourceVersion=" + from.resourceVersion());
		update("a", "{}", "2");
		update("b", "{}", "2");
		assertThat(watch.next()).isEqualTo("MODIFIED b");
	}

	@Test
	void watchWithLabelsShouldTellWhatEntersAndLeaves() throws IOException {
		create("a", "{app: 'web'}");
		Answer from = create("b", "{app: 'db'}");
		LineStream watch = watch(
				SECRETS + "?watch=true&labelSelector=app=web&resourceVersion=" + from.resourceVersion());
		update("b", "{app: 'web'}", "1");
		assertThat(watch.next()).isEqualTo("ADDED b");
		update("b", "{app: 'web'}", "2");
		assertThat(watch.next()).isEqualTo("MODIFIED b");
		Answer left = update("b", "{app: 'db'}", "3");
		JsonNode deleted = watch.event();
		assertThat(deleted.path("type").asString()).isEqualTo("DELETED");
		// Its last state that matched, at the revision at which it left.
		assertThat(deleted.path("object").path("data").path("v").asString()).isEqualTo(base64("2"));
		assertThat(deleted.path("object").path("metadata").path("labels").path("app").asString()).isEqualTo("web");
		assertThat(watch.lastResourceVersion()).isEqualTo(left.resourceVersion());
		delete(SECRETS + "/b").hasCode(200);
		delete(SECRETS + "/a").hasCode(200);
		assertThat(watch.next()).isEqualTo("DELETED a");
	}

	@Test
	void watchWithFieldsShouldTellWhatEntersAndLeaves() throws IOException {
		Answer from = post(PODS, pod("a", "node-1")).hasCode(201);
		LineStream watch = watch(
				PODS + "?watch=true&fieldSelector=status.phase=Running&resourceVersion=" + from.resourceVersion());
		mergePatch(PODS + "/a/status", "{status: {phase: 'Running'}}").hasCode(200);
		assertThat(watch.next()).isEqualTo("ADDED a");
		mergePatch(PODS + "/a/status", "{status: {phase: 'Failed'}}").hasCode(200);
		assertThat(watch.next()).isEqualTo("DELETED a");
	}

	@Test
	void watchWhenTimeIsOverShouldEndInOrder() throws IOException {
		Answer from = create("a");
		LineStream watch = watch(SECRETS + "?watch=true&timeoutSeconds=1&resourceVersion=" + from.resourceVersion());
		watch.isAtEnd();
	}

	@Test
	void watchWhenBookmarksAreAskedShouldSendOneBeforeItsEnd() throws IOException {
		Answer from = create("a");
		LineStream watch = watch(SECRETS + "?watch=true&allowWatchBookmarks=true&timeoutSeconds=5&resourceVersion="
				+ from.resourceVersion());
		Answer last = create("b");
		assertThat(watch.next()).isEqualTo("ADDED b");
		JsonNode bookmark = watch.event();
		assertThat((Object) bookmark).isEqualTo(Answer
			.parse("{type: 'BOOKMARK', object: {kind: 'Secret', apiVersion: 'v1', metadata: {resourceVersion: 'RV'"
					+ since(34, "", ", creationTimestamp: null") + "}}}"));
		assertThat(Long.parseLong(watch.lastResourceVersion()))
			.isGreaterThanOrEqualTo(Long.parseLong(last.resourceVersion()));
	}

	private String marker() {
		return "{type: 'BOOKMARK', object: {kind: 'Secret', apiVersion: 'v1', metadata: {resourceVersion: 'RV'"
				+ since(34, "", ", creationTimestamp: null")
				+ ", annotations: {'k8s.io/initial-events-end': 'true'}}}}";
	}

	@Test
	void watchWhenInitialEventsAreAskedShouldMarkTheirEnd() throws IOException {
		assumeStreamingLists();
		create("a");
		create("b");
		LineStream watch = watch(SECRETS + STREAMING + "&allowWatchBookmarks=true");
		assertThat(List.of(watch.next(), watch.next())).containsExactlyInAnyOrder("ADDED a", "ADDED b");
		assertThat((Object) watch.event()).isEqualTo(Answer.parse(marker()));
		long marker = Long.parseLong(watch.lastResourceVersion());
		Answer created = create("c");
		assertThat(watch.nextChange()).isEqualTo("ADDED c");
		assertThat(Long.parseLong(created.resourceVersion())).isGreaterThan(marker);
	}

	@Test
	void watchWhenInitialEventsOfNothingShouldMarkTheirEnd() throws IOException {
		assumeStreamingLists();
		LineStream watch = watch(SECRETS + STREAMING + "&allowWatchBookmarks=true");
		assertThat((Object) watch.event()).isEqualTo(Answer.parse(marker()));
	}

	@Test
	void watchWhenInitialEventsFromResourceVersionShouldTellPresentState() throws IOException {
		assumeStreamingLists();
		Answer old = create("a");
		create("b");
		delete(SECRETS + "/a").hasCode(200);
		Answer last = create("c");
		LineStream watch = watch(
				SECRETS + STREAMING + "&allowWatchBookmarks=true&resourceVersion=" + last.resourceVersion());
		assertThat(List.of(watch.next(), watch.next())).containsExactlyInAnyOrder("ADDED b", "ADDED c");
		assertThat((Object) watch.event()).isEqualTo(Answer.parse(marker()));
		assertThat(Long.parseLong(watch.lastResourceVersion())).isGreaterThan(Long.parseLong(old.resourceVersion()));
	}

	@Test
	void watchWhenInitialEventsAndSelectorShouldTellWhatMatches() throws IOException {
		assumeStreamingLists();
		create("a", "{app: 'web'}");
		create("b", "{app: 'db'}");
		LineStream watch = watch(SECRETS + STREAMING + "&allowWatchBookmarks=true&labelSelector=app=web");
		assertThat(watch.next()).isEqualTo("ADDED a");
		assertThat((Object) watch.event()).isEqualTo(Answer.parse(marker()));
	}

	@Test
	void watchWhenInitialEventsWithoutBookmarksShouldHaveNoMarker() throws IOException {
		assumeStreamingLists();
		create("a");
		LineStream watch = watch(SECRETS + STREAMING);
		assertThat(watch.next()).isEqualTo("ADDED a");
		create("b");
		assertThat(watch.next()).isEqualTo("ADDED b");
	}

	@Test
	void watchWhenInitialEventsAreDeclinedShouldTellOnlyChanges() throws IOException {
		assumeStreamingLists();
		Answer from = create("a");
		LineStream watch = watch(
				SECRETS + "?watch=true&sendInitialEvents=false&resourceVersionMatch=NotOlderThan&resourceVersion="
						+ from.resourceVersion());
		create("b");
		assertThat(watch.next()).isEqualTo("ADDED b");
	}

	@Test
	void watchWhenInitialEventsAreNotSupportedShouldBeForbidden() {
		assumeFalse(streamingLists(), "The server has streaming lists");
		String why = "Forbidden: sendInitialEvents is forbidden for watch unless the WatchList feature gate is enabled";
		for (String wanted : List.of("true", "false")) {
			get(SECRETS + "?watch=true&resourceVersionMatch=NotOlderThan&sendInitialEvents=" + wanted).isFailure(422,
					"Invalid", "ListOptions.meta.k8s.io \"\" is invalid: sendInitialEvents: " + why,
					"{group: 'meta.k8s.io', kind: 'ListOptions', causes: [{reason: 'FieldValueForbidden', message: '"
							+ why + "', field: 'sendInitialEvents'}]}");
		}
	}

	@Test
	void initialEventsShouldBeTheOnlyOnesThatAreCompressed() throws IOException {
		assumeStreamingLists();
		create("a");
		LineStream watch = watch(SECRETS + STREAMING + "&allowWatchBookmarks=true&timeoutSeconds=1", "Accept-Encoding",
				"gzip");
		assertThat(watch.contentEncoding())
			.isEqualTo(expected(Difference.COMPRESSED_STREAMING_LISTS, "", since(37, "gzip", "")));
		LineStream others = watch(SECRETS + "?watch=true&resourceVersion=0&timeoutSeconds=1", "Accept-Encoding",
				"gzip");
		assertThat(others.contentEncoding()).isEmpty();
	}

	@Test
	void watchWhenParametersOfInitialEventsAreWrongShouldBeForbidden() {
		String requires = "sendInitialEvents requires setting resourceVersionMatch to NotOlderThan";
		if (streamingLists()) {
			forbidden("?watch=true&sendInitialEvents=true", requires);
			forbidden("?watch=true&sendInitialEvents=false", requires);
		}
		forbidden("?watch=true&resourceVersionMatch=NotOlderThan",
				"resourceVersionMatch is forbidden for watch unless sendInitialEvents is provided");
	}

	private void forbidden(String parameters, String why) {
		get(SECRETS + parameters).isFailure(422, "Invalid",
				"ListOptions.meta.k8s.io \"\" is invalid: resourceVersionMatch: Forbidden: " + why,
				"{group: 'meta.k8s.io', kind: 'ListOptions', causes: [{reason: 'FieldValueForbidden', message: 'Forbidden: "
						+ why + "', field: 'resourceVersionMatch'}]}");
	}

	@Test
	void watchWhenMatchIsExactShouldBeForbiddenAndInvalid() {
		twice("?watch=true&resourceVersion=1&resourceVersionMatch=Exact",
				"resourceVersionMatch is forbidden for watch unless sendInitialEvents is provided");
		if (streamingLists()) {
			twice("?watch=true&sendInitialEvents=true&resourceVersion=1&resourceVersionMatch=Exact",
					"sendInitialEvents requires setting resourceVersionMatch to NotOlderThan");
		}
	}

	private void twice(String parameters, String why) {
		String unsupported = "Unsupported value: \"Exact\": supported values: \"NotOlderThan\"";
		get(SECRETS + parameters).isFailure(422, "Invalid",
				"ListOptions.meta.k8s.io \"\" is invalid: [resourceVersionMatch: Forbidden: " + why
						+ ", resourceVersionMatch: " + unsupported + "]",
				"{group: 'meta.k8s.io', kind: 'ListOptions', causes: [{reason: 'FieldValueForbidden', message: 'Forbidden: "
						+ why + "', field: 'resourceVersionMatch'}, {reason: 'FieldValueNotSupported', message: '"
						+ unsupported + "', field: 'resourceVersionMatch'}]}");
	}

	@Test
	void watchWhenContinueIsGivenShouldBeForbidden() {
		if (streamingLists()) {
			forbidden("?watch=true&timeoutSeconds=1&continue=abc",
					"resourceVersionMatch is forbidden when continue is provided");
		}
		else {
			// Without them nothing fills in the resourceVersionMatch.
			get(SECRETS + "?watch=true&timeoutSeconds=1&continue=abc").hasCode(200);
		}
	}

	@Test
	void watchWhenResourceVersionIsNoNumberShouldFail() {
		get(SECRETS + "?watch=true&timeoutSeconds=1&resourceVersion=abc").isFailure(500, "",
				"resourceVersion: Invalid value: \"abc\": strconv.ParseUint: parsing \"abc\": invalid syntax", "");
	}

	@Test
	void watchWhenSelectorIsWrongShouldBeBadRequest() {
		get(SECRETS + "?watch=true&timeoutSeconds=1&labelSelector=a b").hasCode(400);
		get(PODS + "?watch=true&timeoutSeconds=1&fieldSelector=spec.foo=a").isFailure(400, "BadRequest",
				"field label not supported: spec.foo", "");
	}

	@Test
	void watchFromFutureShouldBeSilentUntilThen() throws IOException {
		create("a");
		LineStream watch = watch(SECRETS + "?watch=true&timeoutSeconds=1&resourceVersion=1000000000");
		assertThat(watch.code()).isEqualTo(200);
		create("b");
		watch.isAtEnd();
	}

	@Test
	void watchWhenInitialEventsFromFutureShouldTellTooLarge() throws IOException {
		assumeStreamingLists();
		create("a");
		LineStream watch = watch(
				SECRETS + STREAMING + "&allowWatchBookmarks=true&timeoutSeconds=8&resourceVersion=1000000000");
		JsonNode event = watch.event();
		assertThat(event.path("type").asString()).isEqualTo("ERROR");
		assertThat(event.path("object").path("code").asInt()).isEqualTo(504);
		assertThat(event.path("object").path("message").asString())
			.matches("Timeout: Too large resource version: 1000000000, current: \\d+");
		watch.isAtEnd();
	}

	@Test
	void watchWithBookmarksFromZeroShouldMarkTheEndOfWhatThereIs() throws IOException {
		Answer last = create("a");
		catchUp(last);
		LineStream watch = watch(SECRETS + "?watch=true&allowWatchBookmarks=true&resourceVersion=0");
		assertThat(watch.next()).isEqualTo("ADDED a");
		create("b");
		String next = watch.next();
		assertThat(next).isIn("ADDED b", "BOOKMARK");
	}

	@Test
	void watchShouldTellEverythingInOrderWhateverTheResource() throws IOException {
		Answer from = create("a");
		LineStream watch = watch(SECRETS + "?watch=true&resourceVersion=" + from.resourceVersion());
		long before = Long.parseLong(from.resourceVersion());
		for (int i = 0; i < 20; i++) {
			create("b" + i);
			post(DEPLOYMENTS, deployment("d" + i, 1)).hasCode(201);
		}
		for (int i = 0; i < 20; i++) {
			assertThat(watch.next()).isEqualTo("ADDED b" + i);
			long revision = Long.parseLong(watch.lastResourceVersion());
			assertThat(revision).isGreaterThan(before);
			before = revision;
		}
	}

	// A list at a revision makes the cache of the server catch up with it.
	private void catchUp(Answer last) {
		get(SECRETS + "?resourceVersionMatch=NotOlderThan&resourceVersion=" + last.resourceVersion()).hasCode(200);
	}

}
