package dev.kubeinformer.test;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;

import okhttp3.MediaType;
import okhttp3.OkHttpClient;
import okhttp3.Request;
import okhttp3.RequestBody;
import okhttp3.Response;
import okhttp3.ResponseBody;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

import dev.kubeinformer.test.internal.json.Json;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * Sends random objects of random schemas to the embedded API and to that of a cluster,
 * and compares what they answer. {@code -Dschema.rounds} is the number of objects,
 * {@code -Dschema.seed} chooses others.
 */
@Tag("slow")
@Tag("conformance")
@RequiresCluster
class SchemaComparisonTests {

	private static final Logger logger = LoggerFactory.getLogger(SchemaComparisonTests.class);

	private static final int OBJECTS_OF_A_SCHEMA = 40;

	private static final String DEFINITIONS = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions";

	private static final String TYPED = "failed to create typed patch";

	private static final int SAME_WORDS = 37;

	private static final int NEWER_APPLY = 36;

	private final long seed = Long.getLong("schema.seed", 5);

	private final Random random = new Random(this.seed);

	private final ApiTarget embedded = ApiTarget.embedded();

	private final ApiTarget cluster;

	private final OkHttpClient client;

	private final List<String> differences = new ArrayList<>();

	private String group = "";

	private int minor;

	SchemaComparisonTests(Path kubeconfig) {
		this.cluster = ApiTarget.cluster(kubeconfig);
		this.client = this.cluster.client().newBuilder().readTimeout(Duration.ofSeconds(60)).build();
	}

	@BeforeEach
	void setUp() {
		this.minor = this.cluster.minor();
	}

	@AfterEach
	void tearDown() {
		this.embedded.close();
		this.cluster.close();
	}

	@Test
	@Timeout(value = 1, unit = TimeUnit.HOURS) // Thousands of objects take minutes.
	void objectsOfRandomSchemasShouldBeJudgedAlike() {
		int rounds = Integer.getInteger("schema.rounds", 300);
		logger.info("Comparing {} objects with the API of 1.{}, -Dschema.seed={}", rounds, this.minor, this.seed);
		int accepted = 0;
		int done = 0;
		for (int schemas = 0; done < rounds; schemas++) {
			this.group = "s" + Long.toHexString(this.seed & 0xffff) + "-" + schemas + ".example.com";
			ObjectNode schema = new RandomSchemas(this.random, 0.01).root();
			if (!define(schema)) {
				continue;
			}
			for (int i = 0; i < OBJECTS_OF_A_SCHEMA && done < rounds; i++, done++) {
				accepted += compare(schema, "o" + i) ? 1 : 0;
			}
			remove();
		}
		logger.info("{} of {} objects were accepted", accepted, rounds);
		assertThat(this.differences).as("-Dschema.seed=" + this.seed).isEmpty();
	}

	private void remove() {
		ask(this.cluster, "DELETE", DEFINITIONS + "/things." + this.group, "", "");
		ask(this.embedded, "DELETE", DEFINITIONS + "/things." + this.group, "", "");
	}

	private boolean define(ObjectNode schema) {
		ObjectNode definition = Answer
			.parse("{apiVersion: 'apiextensions.k8s.io/v1', kind: 'CustomResourceDefinition'}");
		definition.putObject("metadata").put("name", "things." + this.group);
		ObjectNode spec = definition.putObject("spec").put("group", this.group).put("scope", "Namespaced");
		spec.putObject("names").put("plural", "things").put("kind", "Thing");
		ObjectNode version = spec.putArray("versions").addObject();
		version.put("name", "v1").put("served", true).put("storage", true);
		version.putObject("subresources").putObject("status");
		version.putObject("schema").set("openAPIV3Schema", schema);
		Reply real = ask(this.cluster, "POST", DEFINITIONS, definition.toString(), "application/json");
		Reply own = ask(this.embedded, "POST", DEFINITIONS, definition.toString(), "application/json");
		differ("POST", "definition", definition.toString(), own, real);
		if (real.code != 201 || own.code != 201) {
			remove();
			return false;
		}
		await().atMost(Duration.ofSeconds(30))
			.pollInterval(Duration.ofMillis(20))
			.until(() -> ask(this.cluster, "GET", things(""), "", "").code == 200);
		return true;
	}

	private String things(String name) {
		return "/apis/" + this.group + "/v1/namespaces/default/things" + name;
	}

	private boolean compare(ObjectNode schema, String name) {
		RandomSchemas objects = new RandomSchemas(this.random, (this.random.nextInt(3) == 0) ? 0.1 : 0.02);
		String body = object(objects.objectOf(schema), name).toString();
		String validation = switch (this.random.nextInt(4)) {
			case 0 -> "?fieldValidation=Strict";
			case 1 -> "?fieldValidation=Ignore";
			default -> "";
		};
		boolean created = both("POST", things(validation), body, "application/json");
		if (!created) {
			return both("PATCH", things("/" + name + "?fieldManager=test"), body, "application/apply-patch+yaml");
		}
		ObjectNode next = objects.objectOf(schema);
		String merge = "application/merge-patch+json";
		both("PATCH", things("/" + name + validation), next.toString(), merge);
		ObjectNode status = Json.object();
		status.set("status", objects.objectOf(schema).path("status"));
		both("PATCH", things("/" + name + "/status"), status.toString(), merge);
		return true;
	}

	private ObjectNode object(ObjectNode content, String name) {
		ObjectNode object = Json.object().put("apiVersion", this.group + "/v1").put("kind", "Thing");
		object.putObject("metadata").put("name", name);
		content.properties().forEach((field) -> object.set(field.getKey(), field.getValue()));
		return object;
	}

	private boolean both(String method, String path, String body, String type) {
		Reply real = ask(this.cluster, method, path, body, type);
		Reply own = ask(this.embedded, method, path, body, type);
		differ(method, path, body, own, real);
		return real.code < 300 && own.code < 300;
	}

	private void differ(String method, String path, String body, Reply own, Reply real) {
		if (!own.equals(real) && !isOfOlderApply(real) && !isOfOlderLimits(own, real) && !isInRandomOrder(own, real)) {
			this.differences
				.add("\n" + method + " " + path + "\n" + body + "\nembedded " + own + "\ncluster  " + real + "\n");
		}
	}

	// Server-side apply before 1.36 wants all keys of an item; newer versions want one
	// and
	// leave the rest to validation.
	private boolean isOfOlderApply(Reply real) {
		return this.minor < NEWER_APPLY && TYPED.equals(real.content)
				&& real.causes.stream().anyMatch((cause) -> cause.contains("that omits key field"));
	}

	// Older versions do not look whether a number fits its format.
	private boolean isOfOlderLimits(Reply own, Reply real) {
		return this.minor < NEWER_APPLY && real.code < 300 && own.code == 422
				&& own.content.contains(" value must be of type ");
	}

	// Server-side apply leaves an object at its first unknown field. Go visits fields in
	// random order, so the answer names a random part of the faults. The key of an item
	// shows the fields of an object in random order, too.
	private static boolean isInRandomOrder(Reply own, Reply real) {
		if (!TYPED.equals(own.content) || !TYPED.equals(real.content)) {
			return false;
		}
		TreeSet<String> ours = withoutOrder(own.causes);
		TreeSet<String> theirs = withoutOrder(real.causes);
		boolean early = real.causes.stream().anyMatch((cause) -> cause.endsWith(": field not declared in schema"));
		return (early) ? ours.containsAll(theirs) : ours.equals(theirs);
	}

	private static TreeSet<String> withoutOrder(TreeSet<String> causes) {
		TreeSet<String> sorted = new TreeSet<>();
		causes.forEach((cause) -> {
			char[] characters = cause.toCharArray();
			Arrays.sort(characters);
			sorted.add(new String(characters));
		});
		return sorted;
	}

	private Reply ask(ApiTarget target, String method, String path, String body, String type) {
		RequestBody content = (body.isEmpty()) ? null
				: RequestBody.create(body.getBytes(StandardCharsets.UTF_8), (MediaType) null);
		Request.Builder request = new Request.Builder().url(target.url() + path).method(method, content);
		if (content != null) {
			request.header("Content-Type", type);
		}
		target.authorize(request);
		try (Response response = this.client.newCall(request.build()).execute();
				ResponseBody answer = response.body()) {
			return reply(response, answer.string());
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	private Reply reply(Response response, String text) {
		TreeSet<String> warnings = new TreeSet<>(response.headers("Warning"));
		// Older versions do not warn of formats.
		warnings.removeIf((warning) -> this.minor < NEWER_APPLY && warning.contains("unrecognized format"));
		JsonNode body = (text.startsWith("{")) ? Json.readObject(text) : Json.object();
		if (response.code() < 300) {
			ObjectNode content = (ObjectNode) body.deepCopy();
			content.remove("metadata");
			return new Reply(response.code(), warnings, new TreeSet<>(),
					(content.path("spec").has("versions")) ? "" : canonical(content).toString());
		}
		TreeSet<String> causes = new TreeSet<>();
		String message = body.path("message").asString("");
		if (message.startsWith(TYPED)) {
			causes.addAll(List.of(message.replaceFirst("^[^)]*\\): (errors:)?\\s*", "").split("\\n *")));
			return new Reply(response.code(), warnings, causes, TYPED);
		}
		body.path("details").path("causes").forEach((cause) -> causes.add(cause(cause)));
		causes.remove("");
		return new Reply(response.code(), warnings, causes, (causes.isEmpty()) ? message : "");
	}

	// Older versions have other words, and check fewer limits of numbers.
	private String cause(JsonNode cause) {
		String field = cause.path("field").asString();
		String message = cause.path("message").asString();
		if ("patch".equals(field)) {
			return field + message.substring(Math.max(0, message.lastIndexOf("\": ")));
		}
		if (this.minor >= SAME_WORDS) {
			return field + " " + cause.path("reason").asString() + " " + message;
		}
		return (message.contains("Checked value") || message.contains("boundary value")) ? ""
				: field + " " + cause.path("reason").asString();
	}

	private static JsonNode canonical(JsonNode value) {
		if (value instanceof ObjectNode object) {
			ObjectNode sorted = Json.object();
			new TreeSet<>(object.propertyNames()).forEach((name) -> sorted.set(name, canonical(object.get(name))));
			return sorted;
		}
		if (value.isArray()) {
			ArrayNode list = Json.object().putArray("list");
			value.forEach((item) -> list.add(canonical(item)));
			return list;
		}
		return (value.isNumber()) ? Json.object().put("n", value.doubleValue()).get("n") : value;
	}

	/**
	 * Compared parts of an answer.
	 *
	 * @param code the status code
	 * @param warnings the warnings
	 * @param causes the refused fields
	 * @param content the object, or the message of a failure without causes
	 */
	private record Reply(int code, TreeSet<String> warnings, TreeSet<String> causes, String content) {
	}

}
