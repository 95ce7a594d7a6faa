package dev.kubeinformer.test;

import java.util.List;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Lists: pages and the matrix of resourceVersion and resourceVersionMatch.
 */
abstract class ListConformance extends Conformance {

	ListConformance(ApiTarget target) {
		super(target);
	}

	@Test
	void listShouldHoldObjectsWithoutTheirKind() {
		get(SECRETS).is(200, "{kind: 'SecretList', apiVersion: 'v1', metadata: {resourceVersion: 'RV'}, items: []}");
		create("b");
		create("a");
		get(SECRETS).is(200, """
				{kind: 'SecretList', apiVersion: 'v1', metadata: {resourceVersion: 'RV'}, items: [
				{metadata: {name: 'a', namespace: 'NS', uid: 'UID', resourceVersion: 'RV', creationTimestamp: 'TIME'},
				data: {v: 'MQ=='}, type: 'Opaque'},
				{metadata: {name: 'b', namespace: 'NS', uid: 'UID', resourceVersion: 'RV', creationTimestamp: 'TIME'},
				data: {v: 'MQ=='}, type: 'Opaque'}]}""");
	}

	@Test
	void listShouldBeAtNewestRevision() {
		Answer created = create("a");
		assertThat(revision(get(SECRETS))).isGreaterThanOrEqualTo(revision(created));
		post(DEPLOYMENTS, deployment("d", 1)).hasCode(201);
		// The revision is that of everything, not that of one resource.
		assertThat(revision(get(SECRETS))).isGreaterThan(revision(created));
	}

	@Test
	void listWhenAllNamespacesShouldHoldThemAll() {
		create("a");
		assertThat(get("/api/v1/secrets?fieldSelector=metadata.namespace=NS").names()).containsExactly("a");
	}

	@Test
	void pagesShouldShowOneRevision() {
		for (String name : List.of("a", "b", "c", "d", "e")) {
			create(name);
		}
		Answer first = get(SECRETS + "?limit=2").hasCode(200);
		assertThat(first.names()).containsExactly("a", "b");
		assertThat(first.metadata().path("remainingItemCount").asInt()).isEqualTo(3);
		delete(SECRETS + "/c").hasCode(200);
		update("d", "{}", "2");
		create("f");
		Answer second = get(SECRETS + "?limit=2&continue=" + token(first)).hasCode(200);
		assertThat(second.names()).containsExactly("c", "d");
		assertThat(second.body().path("items").path(1).path("data").path("v").asString()).isEqualTo(base64("1"));
		assertThat(second.resourceVersion()).isEqualTo(first.resourceVersion());
		assertThat(second.metadata().path("remainingItemCount").asInt()).isEqualTo(1);
		Answer third = get(SECRETS + "?limit=2&continue=" + token(second)).hasCode(200);
		assertThat(third.names()).containsExactly("e");
		assertThat(third.resourceVersion()).isEqualTo(first.resourceVersion());
		assertThat(third.metadata().has("continue")).isFalse();
		assertThat(third.metadata().has("remainingItemCount")).isFalse();
	}

	@Test
	void pageWhenLimitIsTheWholeShouldHaveNoToken() {
		create("a");
		create("b");
		Answer list = get(SECRETS + "?limit=2").hasCode(200);
		assertThat(list.names()).containsExactly("a", "b");
		assertThat(list.metadata().has("continue")).isFalse();
	}

	@Test
	void pageWhenContinuedWithoutLimitShouldHoldTheRest() {
		create("a");
		create("b");
		create("c");
		Answer first = get(SECRETS + "?limit=1").hasCode(200);
		assertThat(get(SECRETS + "?continue=" + token(first)).hasCode(200).names()).containsExactly("b", "c");
	}

	@Test
	void pagesWhenSelectorShouldHoldWhatMatches() {
		create("a", "{app: 'web'}");
		create("b", "{app: 'db'}");
		create("c", "{app: 'web'}");
		create("d", "{app: 'web'}");
		Answer first = get(SECRETS + "?limit=2&labelSelector=app=web").hasCode(200);
		assertThat(first.names()).containsExactly("a", "c");
		assertThat(first.metadata().has("remainingItemCount")).isFalse();
		Answer second = get(SECRETS + "?limit=2&labelSelector=app=web&continue=" + token(first)).hasCode(200);
		assertThat(second.names()).containsExactly("d");
	}

	@Test
	void lastPageWhenNothingMatchesAnyMoreShouldBeEmpty() {
		create("a", "{app: 'web'}");
		create("b", "{app: 'db'}");
		Answer first = get(SECRETS + "?labelSelector=app=web&limit=1").hasCode(200);
		assertThat(first.names()).containsExactly("a");
		Answer last = get(SECRETS + "?labelSelector=app=web&limit=1&continue=" + token(first)).hasCode(200);
		assertThat(last.names()).isEmpty();
		assertThat(last.metadata().has("continue")).isFalse();
	}

	@Test
	void pageWhenTokenIsWrongShouldBeBadRequest() {
		Answer answer = get(SECRETS + "?limit=1&continue=abc").hasCode(400);
		assertThat(answer.body().path("reason").asString()).isEqualTo("BadRequest");
		assertThat(answer.body().path("message").asString())
			.startsWith("invalid continue token: continue key is not valid: ");
	}

	@Test
	void pageWhenTokenAndResourceVersionShouldBeBadRequest() {
		create("a");
		create("b");
		Answer first = get(SECRETS + "?limit=1").hasCode(200);
		get(SECRETS + "?limit=1&resourceVersion=" + first.resourceVersion() + "&continue=" + token(first))
			.isFailure(400, "BadRequest", "specifying resource version is not allowed when using continue", "");
		assertThat(get(SECRETS + "?limit=1&resourceVersion=0&continue=" + token(first)).hasCode(200).names())
			.containsExactly("b");
	}

	@Test
	void pageWhenTokenAndMatchShouldBeForbidden() {
		create("a");
		create("b");
		Answer first = get(SECRETS + "?limit=1").hasCode(200);
		forbidden(SECRETS + "?limit=1&resourceVersion=0&resourceVersionMatch=NotOlderThan&continue=" + token(first),
				"resourceVersionMatch", "resourceVersionMatch is forbidden when continue is provided");
	}

	@Test
	void resourceVersionMatrixShouldChooseTheState() {
		Answer old = create("a");
		create("b");
		delete(SECRETS + "/a").hasCode(200);
		Answer last = create("c");
		List<String> present = List.of("b", "c");
		List<String> past = List.of("a");
		String at = "resourceVersion=" + old.resourceVersion();
		shows(present, "");
		shows(present, "resourceVersion=");
		shows(present, at);
		shows(present, at + "&resourceVersionMatch=NotOlderThan");
		shows(present, at + "&resourceVersionMatch=NotOlderThan&limit=5");
		shows(past, at + "&resourceVersionMatch=Exact");
		shows(past, at + "&resourceVersionMatch=Exact&limit=5");
		shows(past, at + "&limit=5");
		shows(present, "resourceVersion=" + last.resourceVersion() + "&resourceVersionMatch=Exact");
		assertThat(get(SECRETS + "?" + at + "&resourceVersionMatch=Exact").resourceVersion())
			.isEqualTo(old.resourceVersion());
		assertThat(get(SECRETS + "?" + at + "&limit=5").resourceVersion()).isEqualTo(old.resourceVersion());
	}

	private void shows(List<String> expected, String parameters) {
		assertThat(get(SECRETS + "?" + parameters).hasCode(200).names()).as(parameters).isEqualTo(expected);
	}

	@Test
	void listFromZeroShouldAnswerWithSomeState() {
		Answer created = create("a");
		create("b");
		// A consistent list makes the cache of the server catch up.
		get(SECRETS + "?resourceVersionMatch=NotOlderThan&resourceVersion=" + get(SECRETS).resourceVersion());
		for (String parameters : List.of("resourceVersion=0", "resourceVersion=0&resourceVersionMatch=NotOlderThan",
				"resourceVersion=0&limit=1", "resourceVersion=0&resourceVersionMatch=NotOlderThan&limit=1")) {
			Answer list = get(SECRETS + "?" + parameters).hasCode(200);
			// The cache does not page.
			assertThat(list.names()).as(parameters).containsExactly("a", "b");
			assertThat(list.metadata().has("continue")).as(parameters).isFalse();
			assertThat(revision(list)).isGreaterThan(revision(created));
		}
	}

	@Test
	void notOlderThanWhenPagedShouldPageOrNot() {
		Answer first = create("a");
		create("b");
		create("c");
		Answer list = get(
				SECRETS + "?limit=1&resourceVersionMatch=NotOlderThan&resourceVersion=" + first.resourceVersion())
			.hasCode(200);
		assertThat(list.names()).containsExactly("a");
		assertThat(list.metadata().has("continue")).isTrue();
	}

	@Test
	void exactWhenPagedShouldGoOnAtThatRevision() {
		create("a");
		Answer old = create("b");
		create("c");
		Answer first = get(SECRETS + "?limit=1&resourceVersionMatch=Exact&resourceVersion=" + old.resourceVersion())
			.hasCode(200);
		assertThat(first.names()).containsExactly("a");
		assertThat(first.metadata().path("remainingItemCount").asInt()).isEqualTo(1);
		Answer second = get(SECRETS + "?limit=1&continue=" + token(first)).hasCode(200);
		assertThat(second.names()).containsExactly("b");
		assertThat(second.resourceVersion()).isEqualTo(old.resourceVersion());
		assertThat(second.metadata().has("continue")).isFalse();
	}

	@Test
	void listWhenResourceVersionIsInTheFutureShouldTimeOut() {
		create("a");
		for (String match : List.of("", "&resourceVersionMatch=NotOlderThan")) {
			Answer answer = get(SECRETS + "?resourceVersion=1000000000" + match).hasCode(504);
			tooLarge(answer);
		}
		tooLarge(get(SECRETS + "/a?resourceVersion=1000000000").hasCode(504));
	}

	private static void tooLarge(Answer answer) {
		assertThat(answer.body().path("message").asString())
			.matches("Timeout: Too large resource version: 1000000000, current: \\d+");
		assertThat(answer.body().path("reason").asString()).isEqualTo("Timeout");
		assertThat(answer.body().path("details")).isEqualTo(Answer.parse("""
				{causes: [{reason: 'ResourceVersionTooLarge', message: 'Too large resource version'}],
				retryAfterSeconds: 1}"""));
	}

	@Test
	void exactWhenResourceVersionIsInTheFutureShouldFail() {
		create("a");
		Answer answer = get(SECRETS + "?resourceVersion=1000000000&resourceVersionMatch=Exact");
		if (isSince(34)) {
			tooLarge(answer.hasCode(504));
		}
		else {
			answer.isFailure(500, "", "etcdserver: mvcc: required revision is a future revision", "");
		}
	}

	@Test
	void listWhenResourceVersionIsNoNumberShouldBeBadRequest() {
		create("a");
		String invalid = "resourceVersion: Invalid value: \"abc\": strconv.ParseUint: parsing \"abc\": invalid syntax";
		Answer answer = get(SECRETS + "?resourceVersion=abc");
		// An older watch cache reads the version itself.
		if (isSince(36) || answer.code() == 400) {
			answer.isFailure(400, "BadRequest", "invalid resource version: " + invalid, "");
		}
		else {
			answer.isFailure(500, "", invalid, "");
		}
		get(SECRETS + "?resourceVersion=abc&limit=1").isFailure(400, "BadRequest",
				"invalid resource version: " + invalid, "");
		get(SECRETS + "/a?resourceVersion=abc").isFailure(500, "", invalid, "");
	}

	@Test
	void listWhenMatchLacksResourceVersionShouldBeForbidden() {
		for (String match : List.of("Exact", "NotOlderThan")) {
			forbidden(SECRETS + "?resourceVersionMatch=" + match, "resourceVersionMatch",
					"resourceVersionMatch is forbidden unless resourceVersion is provided");
		}
		Answer both = get(SECRETS + "?resourceVersionMatch=foo").hasCode(422);
		assertThat(both.body().path("details").path("causes")).hasSize(2);
	}

	@Test
	void listWhenMatchIsUnknownShouldBeInvalid() {
		String cause = "Unsupported value: \"foo\": supported values: \"Exact\", \"NotOlderThan\", \"\"";
		get(SECRETS + "?resourceVersion=1&resourceVersionMatch=foo").isFailure(422, "Invalid",
				"ListOptions.meta.k8s.io \"\" is invalid: resourceVersionMatch: " + cause,
				"{group: 'meta.k8s.io', kind: 'ListOptions', causes: [{reason: 'FieldValueNotSupported', message: '"
						+ cause + "', field: 'resourceVersionMatch'}]}");
	}

	@Test
	void listWhenExactlyZeroShouldBeForbidden() {
		forbidden(SECRETS + "?resourceVersion=0&resourceVersionMatch=Exact", "resourceVersionMatch",
				"resourceVersionMatch \"exact\" is forbidden for resourceVersion \"0\"");
	}

	@Test
	void listWhenSendInitialEventsShouldBeForbidden() {
		forbidden(SECRETS + "?sendInitialEvents=true", "sendInitialEvents", "sendInitialEvents is forbidden for list");
		forbidden(SECRETS + "?sendInitialEvents=false", "sendInitialEvents", "sendInitialEvents is forbidden for list");
	}

	@Test
	void listWhenNumbersAreWrongShouldBeBadRequest() {
		Answer limit = get(SECRETS + "?limit=abc").hasCode(400);
		assertThat(limit.body().path("message").asString())
			.contains("strconv.ParseInt: parsing \"abc\": invalid syntax");
		get(SECRETS + "?timeoutSeconds=abc").hasCode(400);
		create("a");
		assertThat(get(SECRETS + "?limit=-1").hasCode(200).names()).containsExactly("a");
		assertThat(get(SECRETS + "?limit=0").hasCode(200).names()).containsExactly("a");
	}

	private void forbidden(String path, String field, String why) {
		get(path).isFailure(422, "Invalid", "ListOptions.meta.k8s.io \"\" is invalid: " + field + ": Forbidden: " + why,
				"{group: 'meta.k8s.io', kind: 'ListOptions', causes: [{reason: 'FieldValueForbidden', message: 'Forbidden: "
						+ why + "', field: '" + field + "'}]}");
	}

	private static String token(Answer list) {
		return list.metadata().path("continue").asString();
	}

	private static long revision(Answer answer) {
		return Long.parseLong(answer.resourceVersion());
	}

}
