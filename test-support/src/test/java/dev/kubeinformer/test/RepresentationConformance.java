package dev.kubeinformer.test;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Objects as metadata only, as tables, and the negotiation of both.
 */
abstract class RepresentationConformance extends Conformance {

	private static final String OBJECT = "application/json;as=PartialObjectMetadata;g=meta.k8s.io;v=v1";

	private static final String LIST = "application/json;as=PartialObjectMetadataList;g=meta.k8s.io;v=v1";

	private static final String TABLE = "application/json;as=Table;g=meta.k8s.io;v=v1";

	private static final String METADATA = "{name: 'a', namespace: 'NS', uid: 'UID', resourceVersion: 'RV', "
			+ "creationTimestamp: 'TIME', labels: {app: 'web'}}";

	private static final String PARTIAL = "{kind: 'PartialObjectMetadata', apiVersion: 'meta.k8s.io/v1', metadata: "
			+ METADATA + "}";

	RepresentationConformance(ApiTarget target) {
		super(target);
	}

	@Test
	void getAsMetadataShouldHoldNothingElse() {
		create("a", "{app: 'web'}");
		get(SECRETS + "/a", "Accept", OBJECT).is(200, PARTIAL);
	}

	@Test
	void listAsMetadataShouldHoldNothingElse() {
		create("a", "{app: 'web'}");
		get(SECRETS, "Accept", LIST).is(200,
				"{kind: 'PartialObjectMetadataList', apiVersion: 'meta.k8s.io/v1', metadata: {resourceVersion: 'RV'}, "
						+ "items: [" + PARTIAL + "]}");
	}

	@Test
	void listAsMetadataWhenPagedShouldContinue() {
		create("a");
		create("b");
		Answer first = get(SECRETS + "?limit=1", "Accept", LIST).hasCode(200);
		assertThat(first.names()).containsExactly("a");
		assertThat(first.metadata().path("remainingItemCount").asInt()).isEqualTo(1);
		String token = first.metadata().path("continue").asString();
		assertThat(get(SECRETS + "?limit=1&continue=" + token, "Accept", LIST).names()).containsExactly("b");
	}

	@Test
	void watchAsMetadataShouldHoldNothingElse() throws IOException {
		assumeStreamingLists();
		create("a", "{app: 'web'}");
		LineStream watch = watch(SECRETS + "?watch=true&sendInitialEvents=true&resourceVersionMatch=NotOlderThan"
				+ "&allowWatchBookmarks=true", "Accept", OBJECT);
		assertThat((Object) watch.event()).isEqualTo(Answer.parse("{type: 'ADDED', object: " + PARTIAL + "}"));
		JsonNode marker = watch.event();
		assertThat(marker.path("type").asString()).isEqualTo("BOOKMARK");
		assertThat(marker.path("object").path("kind").asString()).isEqualTo("PartialObjectMetadata");
		assertThat(
				marker.path("object").path("metadata").path("annotations").path("k8s.io/initial-events-end").asString())
			.isEqualTo("true");
	}

	@Test
	void writesAsMetadataShouldAnswerThem() {
		post(SECRETS, secret("a", "{app: 'web'}", "1"), "Accept", OBJECT).is(201, PARTIAL);
	}

	@Test
	void listAsObjectMetadataShouldNotBeAcceptable() {
		get(SECRETS, "Accept", OBJECT).isFailure(406, "NotAcceptable",
				"you requested PartialObjectMetadata, but the requested object is a list (*core.SecretList)", "");
		create("a");
		get(SECRETS + "/a", "Accept", LIST).isFailure(406, "NotAcceptable",
				"you requested PartialObjectMetadataList, but the requested object is not a list (*core.Secret)", "");
	}

	@Test
	void acceptWhenSeveralShouldTakeTheFirstThatIsServed() {
		create("a", "{app: 'web'}");
		get(SECRETS + "/a", "Accept", "application/foo, " + OBJECT + ", application/json").is(200, PARTIAL);
		assertThat(get(SECRETS + "/a", "Accept", "application/json, " + OBJECT).hasCode(200)
			.body()
			.path("kind")
			.asString()).isEqualTo("Secret");
		// A failing media type is only noticed too late to try the next one.
		get(SECRETS, "Accept", OBJECT + ",application/json").hasCode(406);
	}

	@Test
	void acceptWhenUnknownShouldNotBeAcceptable() {
		Answer answer = get(SECRETS, "Accept", "text/html").hasCode(406);
		assertThat(answer.body().path("reason").asString()).isEqualTo("NotAcceptable");
		assertThat(answer.body().path("message").asString())
			.startsWith("406: Not Acceptable\n\nAvailable representations: application/json");
	}

	@Test
	void listAsTableShouldHaveColumnsAndMetadata() {
		create("a", "{app: 'web'}");
		Answer answer = get(SECRETS, "Accept", TABLE).hasCode(200);
		JsonNode table = answer.body();
		assertThat(table.path("kind").asString()).isEqualTo("Table");
		assertThat(table.path("apiVersion").asString()).isEqualTo("meta.k8s.io/v1");
		assertThat(table.path("metadata").path("resourceVersion").asString()).isEqualTo("RV");
		assertThat(columns(table)).startsWith("Name").contains("Age");
		assertThat(table.path("columnDefinitions").path(0).path("type").asString()).isEqualTo("string");
		assertThat(table.path("columnDefinitions").path(0).path("format").asString()).isEqualTo("name");
		assertThat(table.path("rows")).hasSize(1);
		JsonNode row = table.path("rows").path(0);
		assertThat(row.path("cells").path(0).asString()).isEqualTo("a");
		assertThat(row.path("cells")).hasSameSizeAs(table.path("columnDefinitions"));
		assertThat((Object) row.path("object")).isEqualTo(Answer.parse(PARTIAL));
	}

	@Test
	void getAsTableShouldHaveOneRow() {
		create("a");
		create("b");
		JsonNode table = get(SECRETS + "/b", "Accept", TABLE).hasCode(200).body();
		assertThat(table.path("kind").asString()).isEqualTo("Table");
		assertThat(table.path("rows")).hasSize(1);
		assertThat(table.path("rows").path(0).path("cells").path(0).asString()).isEqualTo("b");
	}

	@Test
	void tableWhenIncludeObjectShouldHoldWhatIsAsked() {
		create("a");
		assertThat(get(SECRETS + "?includeObject=None", "Accept", TABLE).body()
			.path("rows")
			.path(0)
			.path("object")
			.isNull()).isTrue();
		assertThat(get(SECRETS + "?includeObject=Object", "Accept", TABLE).body()
			.path("rows")
			.path(0)
			.path("object")
			.path("kind")
			.asString()).isEqualTo("Secret");
	}

	@Test
	void watchAsTableShouldSendColumnsOnce() throws IOException {
		create("a");
		LineStream watch = watch(SECRETS + "?watch=true", "Accept", TABLE);
		JsonNode first = watch.event();
		assertThat(first.path("type").asString()).isEqualTo("ADDED");
		assertThat(first.path("object").path("kind").asString()).isEqualTo("Table");
		assertThat(columns(first.path("object"))).startsWith("Name");
		update("a", "{}", "2");
		JsonNode second = watch.event();
		assertThat(second.path("type").asString()).isEqualTo("MODIFIED");
		assertThat(second.path("object").path("columnDefinitions").isNull()).isTrue();
		assertThat(second.path("object").path("rows").path(0).path("cells").path(0).asString()).isEqualTo("a");
	}

	private static List<String> columns(JsonNode table) {
		List<String> columns = new ArrayList<>();
		table.path("columnDefinitions").forEach((column) -> columns.add(column.path("name").asString()));
		return columns;
	}

}
