package dev.kubeinformer.test;

import java.io.IOException;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * Shards, on a server with the feature gate {@code ShardedListAndWatch}.
 */
abstract class ShardConformance extends Conformance {

	private static final String LOWER = range("object.metadata.uid", "0x0000000000000000", "0x8000000000000000");

	private static final String UPPER = range("object.metadata.uid", "0x8000000000000000", "0x10000000000000000");

	private static final String METADATA = "application/json;as=PartialObjectMetadataList;g=meta.k8s.io;v=v1";

	private static final String TABLE = "application/json;as=Table;g=meta.k8s.io;v=v1";

	private static final String STREAMING = "&watch=true&sendInitialEvents=true&resourceVersionMatch=NotOlderThan"
			+ "&allowWatchBookmarks=true";

	ShardConformance(ApiTarget target) {
		super(target);
	}

	@Test
	void halvesShouldHoldEachObjectOnce() {
		createSome();
		List<String> lower = get(shard(SECRETS, LOWER)).hasCode(200).names();
		List<String> upper = get(shard(SECRETS, UPPER)).hasCode(200).names();
		assertThat(lower).isNotEmpty();
		assertThat(upper).isNotEmpty();
		assertThat(Stream.concat(lower.stream(), upper.stream()))
			.containsExactlyInAnyOrderElementsOf(get(SECRETS).names());
		assertThat(get(shard(SECRETS, UPPER + " || " + LOWER)).names()).isEqualTo(get(SECRETS).names());
		// A list at a revision makes the cache of the server catch up with it.
		get(SECRETS + "?resourceVersionMatch=NotOlderThan&resourceVersion=" + get(SECRETS).resourceVersion())
			.hasCode(200);
		assertThat(get(shard(SECRETS, LOWER) + "&resourceVersion=0").names()).isEqualTo(lower);
		assertThat(get(shard(SECRETS, LOWER) + "&labelSelector=even=true").names()).containsExactlyElementsOf(
				lower.stream().filter(get(SECRETS + "?labelSelector=even=true").names()::contains).toList());
		// It is about collections.
		get(shard(SECRETS + "/s00", LOWER)).hasCode(200);
		get(shard(SECRETS + "/s00", UPPER)).hasCode(200);
	}

	@Test
	void listShouldRepeatTheSelectorInOneForm() {
		repeats(LOWER, LOWER);
		repeats(LOWER.replace(" ", ""), LOWER);
		repeats("\n " + LOWER.replace('\'', '"').replace("(", " ( ") + " ", LOWER);
		repeats("(" + LOWER + ")", LOWER);
		repeats("(" + UPPER + "||(" + LOWER + "))", UPPER + " || " + LOWER);
		repeats(LOWER + "||" + LOWER, LOWER + " || " + LOWER);
		assertThat(get(SECRETS + "?shardSelector=").metadata().has("shardInfo")).isFalse();
	}

	private void repeats(String selector, String repeated) {
		assertThat(get(shard(SECRETS, selector)).hasCode(200).metadata().path("shardInfo").toString())
			.isEqualTo(Answer.parse("{selector: \"" + repeated + "\"}").toString());
	}

	@Test
	void namespaceShouldBeWholeInOneShard() {
		createSome();
		List<String> all = get(SECRETS).names();
		List<String> lower = get(shard(SECRETS, LOWER.replace("uid", "namespace"))).hasCode(200).names();
		List<String> upper = get(shard(SECRETS, UPPER.replace("uid", "namespace"))).hasCode(200).names();
		assertThat(List.of(lower, upper)).containsExactlyInAnyOrder(all, List.of());
		// The hash of "" is 0xcbf29ce484222325.
		String of = range("object.metadata.namespace", "0xcbf29ce484222325", "0xcbf29ce484222326");
		assertThat(get(shard("/api/v1/namespaces", of)).names()).isEqualTo(get("/api/v1/namespaces").names());
	}

	@Test
	void pagesShouldHoldTheShard() {
		createSome();
		int total = get(SECRETS).names().size();
		List<String> lower = get(shard(SECRETS, LOWER)).names();
		List<String> paged = new ArrayList<>();
		String token = "";
		do {
			Answer page = get(shard(SECRETS, LOWER) + "&limit=5" + ((token.isEmpty()) ? "" : "&continue=" + token))
				.hasCode(200);
			token = page.metadata().path("continue").asString("");
			assertThat(page.metadata().path("shardInfo").path("selector").asString()).isEqualTo(LOWER);
			// Before 1.37 the rest is counted, without the shard.
			int before = (paged.isEmpty()) ? 0 : position(paged.get(paged.size() - 1)) + 1;
			int rest = (token.isEmpty() || isSince(37)) ? -1 : total - before - 5;
			assertThat(page.metadata().path("remainingItemCount").asInt(-1)).isEqualTo(rest);
			paged.addAll(page.names());
		}
		while (!token.isEmpty());
		assertThat(paged).isEqualTo(lower);
	}

	// Names are in the order of their numbers.
	private static int position(String name) {
		return Integer.parseInt(name.substring(1));
	}

	@Test
	void watchShouldSendTheShardAndBookmarks() throws IOException {
		String begin = create("first").resourceVersion();
		LineStream watch = watch(shard(SECRETS, UPPER) + "&watch=true&resourceVersion=" + begin);
		createSome();
		List<String> upper = get(shard(SECRETS, UPPER)).names()
			.stream()
			.filter((name) -> name.startsWith("s"))
			.toList();
		for (String name : upper) {
			assertThat(watch.next()).isEqualTo("ADDED " + name);
		}
		LineStream initial = watch(shard(SECRETS, UPPER) + STREAMING);
		List<String> listed = get(shard(SECRETS, UPPER)).names();
		for (String name : listed) {
			assertThat(initial.next()).isEqualTo("ADDED " + name);
		}
		JsonNode marker = initial.event();
		assertThat(marker.path("type").asString()).isEqualTo("BOOKMARK");
		assertThat(marker.path("object").path("metadata").has("shardInfo")).isFalse();
		get(SECRETS).names().forEach((name) -> update(name, "{}", "2"));
		get(SECRETS).names().forEach((name) -> delete(SECRETS + "/" + name).hasCode(200));
		for (String type : List.of("MODIFIED ", "DELETED ")) {
			for (String name : listed) {
				assertThat(initial.nextChange()).isEqualTo(type + name);
			}
		}
	}

	@Test
	void watchOfEventsShouldBeLimitedAsTheListIs() throws IOException {
		for (int i = 0; i < 6; i++) {
			post(NAMESPACE + "/events", "{metadata: {name: 'e" + i + "', namespace: 'NS'}, "
					+ "involvedObject: {kind: 'Pod', name: 'p', namespace: 'NS'}}")
				.hasCode(201);
		}
		List<String> all = get(NAMESPACE + "/events").names();
		for (String selector : List.of(LOWER, UPPER)) {
			LineStream watch = watch(shard(NAMESPACE + "/events", selector) + STREAMING);
			// Before 1.37 only the watch cache limits watches, which holds no events.
			for (String name : since(37, get(shard(NAMESPACE + "/events", selector)).names(), all)) {
				assertThat(watch.next()).isEqualTo("ADDED " + name);
			}
			assertThat(watch.next()).isEqualTo("BOOKMARK");
		}
		assertThat(get(shard(NAMESPACE + "/events", LOWER)).hasCode(200).names().size()
				+ get(shard(NAMESPACE + "/events", UPPER)).hasCode(200).names().size())
			.isEqualTo(all.size());
	}

	@Test
	void otherFormsShouldBeLimitedWithoutRepeatingTheSelector() {
		createSome();
		List<String> lower = get(shard(SECRETS, LOWER)).names();
		Answer metadata = get(shard(SECRETS, LOWER), "Accept", METADATA).hasCode(200);
		assertThat(metadata.names()).isEqualTo(lower);
		assertThat(metadata.metadata().has("shardInfo")).isFalse();
		Answer table = get(shard(SECRETS, LOWER), "Accept", TABLE).hasCode(200);
		assertThat(table.body().path("rows")).hasSameSizeAs(lower);
		assertThat(table.metadata().has("shardInfo")).isFalse();
	}

	@Test
	void customResourcesShouldBeLimitedWithoutRepeatingTheSelector() throws IOException {
		String definitions = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions";
		post(definitions, """
				{metadata: {name: 'things.NS.example.com'}, spec: {group: 'NS.example.com', scope: 'Namespaced',
				names: {plural: 'things', singular: 'thing', kind: 'Thing', listKind: 'ThingList'},
				versions: [{name: 'v1', served: true, storage: true,
				schema: {openAPIV3Schema: {type: 'object', 'x-kubernetes-preserve-unknown-fields': true}}}]}}""")
			.hasCode(201);
		afterwards(() -> delete(definitions + "/things.NS.example.com"));
		String things = "/apis/NS.example.com/v1/namespaces/NS/things";
		await().atMost(Duration.ofSeconds(30)).until(() -> get(things).code() == 200);
		for (int i = 0; i < 8; i++) {
			post(things, "{apiVersion: 'NS.example.com/v1', kind: 'Thing', metadata: {name: 't" + i + "'}}")
				.hasCode(201);
		}
		Answer lower = get(shard(things, LOWER)).hasCode(200);
		Answer upper = get(shard(things, UPPER)).hasCode(200);
		assertThat(Stream.concat(lower.names().stream(), upper.names().stream()))
			.containsExactlyInAnyOrderElementsOf(get(things).names());
		assertThat(lower.metadata().has("shardInfo")).isFalse();
		// A server lists a new resource before it has the cache by which it is watched.
		LineStream watch = await().atMost(Duration.ofSeconds(30))
			.until(() -> watch(shard(things, UPPER) + STREAMING), (opened) -> opened.code() == 200);
		for (String name : upper.names()) {
			assertThat(watch.next()).isEqualTo("ADDED " + name);
		}
		assertThat(watch.next()).isEqualTo("BOOKMARK");
	}

	@Test
	void deleteOfTheCollectionShouldBeLimited() {
		createSome();
		List<String> upper = get(shard(SECRETS, UPPER)).names();
		delete(shard(SECRETS, LOWER)).hasCode(200);
		assertThat(get(SECRETS).names()).isEqualTo(upper);
	}

	@Test
	void selectorWhenMalformedShouldBeAnError() {
		refused("foo", "unexpected expression kind 3; expected shardRange() call or || operator");
		refused("'x'", "unexpected expression kind 5; expected shardRange() call or || operator");
		refused(LOWER + " || true", "unexpected expression kind 5; expected shardRange() call or || operator");
		refused(" ", "empty shard selector is not allowed; omit the parameter for unfiltered lists");
		refused("range()", "unsupported function \"range\"; only shardRange() and || are allowed");
		refused(LOWER + " && " + UPPER, "unsupported function \"_&&_\"; only shardRange() and || are allowed");
		refused("shardRange(object.metadata.uid)", "shardRange() requires exactly 3 arguments, got 1");
		refused("shardRange('object.metadata.uid', 'a', 'b')",
				"shardRange() first argument: expected field path (e.g. object.metadata.uid), got expression kind 5");
		refused(LOWER.replace("uid", "name"), "unsupported field path \"object.metadata.name\"; "
				+ "supported: object.metadata.uid, object.metadata.namespace");
		refused(LOWER + " || " + UPPER.replace("uid", "namespace"), "all shard ranges must use the same field, "
				+ "got \"object.metadata.uid\" and \"object.metadata.namespace\"");
		for (String unfinished : List.of(LOWER + " ||", "(" + LOWER, LOWER + ")", LOWER + " " + UPPER)) {
			assertThat(get(shard(SECRETS, unfinished)).hasCode(500).body().path("message").asString())
				.startsWith("invalid shard selector: CEL parse error: Syntax error: ");
		}
	}

	@Test
	void selectorWhenBoundsAreWrongShouldBeAnError() {
		wrongStart("0x1",
				" must be a 0x-prefixed 16-digit hex value, got \"0x1\" (did you mean \"0x0000000000000001\"?)");
		wrongStart("0000000000000000", " must have '0x' prefix, got \"0000000000000000\"");
		wrongStart("0x", ": hex value is required after '0x'");
		wrongStart("0x000000000000000G", ": invalid hex character \"G\" in \"0x000000000000000G\"");
		wrongStart("0xABCDEF0000000000", ": invalid hex character \"A\" in \"0xABCDEF0000000000\"");
		wrongStart("0x000000000000000000", ": hex value too long (18 chars, max 17): \"000000000000000000\"");
		wrongStart("0x00000000000000000",
				": 17-digit hex value must be '0x10000000000000000' (2^64), got \"0x00000000000000000\"");
		refused("shardRange(object.metadata.uid, 0, 1)", "hexStart must be a string literal, got int64");
		refused(LOWER.replace("0x8000000000000000", "8"), "hexEnd must have '0x' prefix, got \"8\"");
		refused(range("object.metadata.uid", "0x8000000000000000", "0x8000000000000000"),
				"shard range start 0x8000000000000000 must be less than end 0x8000000000000000");
		refused(range("object.metadata.uid", "0x10000000000000000", "0x10000000000000000"),
				"shard range start 0x10000000000000000 must be less than end 0x10000000000000000");
	}

	private void wrongStart(String start, String message) {
		refused(range("object.metadata.uid", start, "0x8000000000000000"), "hexStart" + message);
	}

	private void refused(String selector, String message) {
		for (String watch : List.of("", "&watch=true")) {
			get(shard(SECRETS, selector) + watch).isFailure(500, "", "invalid shard selector: " + message, "");
		}
	}

	// As many as are hardly ever all in one half.
	private void createSome() {
		IntStream.range(0, 24).forEach((i) -> create("s%02d".formatted(i), "{even: '" + (i % 2 == 0) + "'}"));
	}

	private static String range(String field, String start, String end) {
		return "shardRange(" + field + ", '" + start + "', '" + end + "')";
	}

	private static String shard(String path, String selector) {
		return path + "?shardSelector=" + URLEncoder.encode(selector, StandardCharsets.UTF_8);
	}

}
