package dev.kubeinformer.test;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.UUID;
import java.util.stream.Collectors;
import java.util.stream.StreamSupport;

import okhttp3.MediaType;
import okhttp3.OkHttpClient;
import okhttp3.Request;
import okhttp3.RequestBody;
import okhttp3.Response;
import okhttp3.ResponseBody;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;
import tools.jackson.dataformat.yaml.YAMLMapper;

import dev.kubeinformer.test.internal.json.Json;
import dev.kubeinformer.test.internal.resource.ResourceDefinition;
import dev.kubeinformer.test.internal.resource.ResourceTypes;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Sends the same objects to the embedded API and to a real one, and compares what they
 * accept, and at which fields they refuse: {@code -Dbuiltin.rounds}, 300 by default, and
 * {@code -Dbuiltin.seed} for other objects.
 */
@Tag("slow")
@RequiresCluster
class BuiltInFuzzTests {

	@Test
	void embeddedShouldJudgeAsTheCluster(Path kubeconfig) {
		int rounds = Integer.getInteger("builtin.rounds", 300);
		long seed = Long.getLong("builtin.seed", 5);
		System.out.println("builtin.seed=" + seed);
		Random random = new Random(seed);
		List<ObjectNode> objects = objects();
		List<String> differences = new ArrayList<>();
		Map<String, Integer> deviations = new TreeMap<>();
		int refused = 0;
		try (Server embedded = new Server(ApiTarget.embedded());
				Server cluster = new Server(ApiTarget.cluster(kubeconfig))) {
			objects.forEach((object) -> {
				Verdict one = embedded.create(object, false);
				Verdict other = cluster.create(object, false);
				assertThat(one.code()).as("%s %s", object, one.text()).isEqualTo(201);
				assertThat(other.code()).as("%s %s", object, other.text()).isEqualTo(201);
			});
			cluster.removeTaints();
			int minor = cluster.target.minor();
			for (int round = 0; round < rounds; round++) {
				ObjectNode object = objects.get(random.nextInt(objects.size()));
				List<BuiltInFuzz.Change> changes = new BuiltInFuzz(random).changes(object);
				boolean update = random.nextInt(3) == 0;
				Verdict here = judge(embedded, object, changes, update);
				Verdict there = judge(cluster, object, changes, update);
				refused += (there.code() >= 400) ? 1 : 0;
				if (here.code() == there.code() && here.fields().equals(there.fields())) {
					continue;
				}
				String known = BuiltInDeviations.reason(object, here, there, minor);
				if (!known.isEmpty()) {
					deviations.merge(object.path("kind").asString() + ": " + known, 1, Integer::sum);
				}
				else {
					differences.add("%d %s %s %s%n  here  %s%n  there %s".formatted(round,
							(update) ? "update" : "create", object.path("kind").asString(), changes, here, there));
				}
			}
		}
		deviations.forEach((known, count) -> System.out.println("known: " + count + " " + known));
		System.out
			.println("builtin: " + rounds + " rounds, " + refused + " refused, " + differences.size() + " differ");
		assertThat(differences).as("seed %d", seed).isEmpty();
	}

	private static Verdict judge(Server server, ObjectNode object, List<BuiltInFuzz.Change> changes, boolean update) {
		if (update) {
			return server.update(object, changes);
		}
		ObjectNode body = object.deepCopy();
		changes.forEach((change) -> change.apply(body));
		return server.create(body, true);
	}

	private static List<ObjectNode> objects() {
		try (InputStream yaml = Objects
			.requireNonNull(BuiltInFuzzTests.class.getResourceAsStream("built-in-objects.yaml"))) {
			String text = new String(yaml.readAllBytes(), StandardCharsets.UTF_8);
			List<ObjectNode> objects = new ArrayList<>();
			for (String document : text.split("(?m)^---$")) {
				objects.add((ObjectNode) YAMLMapper.builder().build().readTree(document));
			}
			return objects;
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	/**
	 * Verdict of a server on an object.
	 *
	 * @param code the status code
	 * @param fields the fields of the causes
	 * @param text the message
	 */
	record Verdict(int code, TreeSet<String> fields, String text) {

		boolean accepted() {
			return this.code < 300;
		}

		@Override
		public String toString() {
			return this.code + " " + this.fields + " " + this.text;
		}

	}

	/**
	 * Server with a namespace for the test.
	 */
	private static final class Server implements AutoCloseable {

		private final ApiTarget target;

		private final OkHttpClient client;

		private final String id = "fuzz-" + UUID.randomUUID().toString().substring(0, 8);

		private final ResourceTypes types = ResourceTypes.builtIn();

		private final List<String> created = new ArrayList<>();

		Server(ApiTarget target) {
			this.target = target;
			this.client = target.client();
			send("POST", "/api/v1/namespaces", "{\"metadata\":{\"name\":\"" + this.id + "\"}}");
		}

		Verdict create(ObjectNode object, boolean dryRun) {
			ObjectNode body = own(object);
			String collection = collection(object);
			if (!dryRun) {
				this.created.add(collection + "/" + body.path("metadata").path("name").asString());
			}
			return verdict(send("POST", collection + ((dryRun) ? "?dryRun=All" : ""), body.toString()));
		}

		Verdict update(ObjectNode object, List<BuiltInFuzz.Change> changes) {
			String path = collection(object) + "/" + own(object).path("metadata").path("name").asString();
			ObjectNode current = send("GET", path, "");
			ObjectNode name = Json.object().put("name", current.path("metadata").path("name").asString());
			changes.forEach((change) -> change.apply(current));
			if (current.path("metadata").isObject()) {
				current.withObject("metadata").remove("managedFields");
				current.withObject("metadata").setAll(name);
			}
			return verdict(send("PUT", path + "?dryRun=All", current.toString()));
		}

		// An admission plugin taints a new Node until a controller has found it ready.
		void removeTaints() {
			for (String path : this.created) {
				if (path.contains("/nodes/")) {
					ObjectNode node = send("GET", path, "");
					((ArrayNode) node.path("spec").path("taints"))
						.removeIf((taint) -> taint.path("key").asString("").startsWith("node.kubernetes.io/"));
					send("PUT", path, node.toString());
				}
			}
		}

		// The name in the cluster is this test's own.
		private ObjectNode own(ObjectNode object) {
			ObjectNode own = object.deepCopy();
			if (own.path("metadata").path("name").asString("").equals("fuzz")) {
				own.withObject("metadata").put("name", this.id + "-o");
			}
			return own;
		}

		private String collection(JsonNode object) {
			ResourceDefinition type = Objects.requireNonNull(
					this.types.ofKind(object.path("apiVersion").asString(), object.path("kind").asString()));
			return ((type.group().isEmpty()) ? "/api/" : "/apis/") + type.groupVersion()
					+ ((type.namespaced()) ? "/namespaces/" + this.id : "") + "/" + type.plural();
		}

		private Verdict verdict(ObjectNode answer) {
			if (!"Status".equals(answer.path("kind").asString(""))) {
				return new Verdict(200 + ((answer.has("kind")) ? 1 : 0), new TreeSet<>(), "");
			}
			TreeSet<String> fields = StreamSupport.stream(answer.path("details").path("causes").spliterator(), false)
				.map((cause) -> cause.path("field")
					.asString("")
					.replace(this.id + "-o", "fuzz")
					.replace(this.id, "fuzz"))
				.collect(Collectors.toCollection(TreeSet::new));
			return new Verdict(answer.path("code").asInt(), fields,
					answer.path("message").asString("").replace(this.id + "-o", "fuzz").replace(this.id, "fuzz"));
		}

		private ObjectNode send(String method, String path, String body) {
			RequestBody content = (body.isEmpty()) ? null
					: RequestBody.create(body.getBytes(StandardCharsets.UTF_8), MediaType.get("application/json"));
			Request.Builder request = new Request.Builder().url(this.target.url() + path).method(method, content);
			this.target.authorize(request);
			try (Response response = this.client.newCall(request.build()).execute();
					ResponseBody answer = response.body()) {
				return Json.readObject(answer.string());
			}
			catch (IOException ex) {
				throw new UncheckedIOException(ex);
			}
		}

		@Override
		public void close() {
			this.created.forEach((path) -> {
				ObjectNode gone = send("DELETE", path + "?gracePeriodSeconds=0", "");
				if (!gone.path("metadata").path("finalizers").isEmpty()) {
					gone.withObject("metadata").remove(List.of("finalizers", "managedFields"));
					send("PUT", path, gone.toString());
				}
			});
			ObjectNode namespace = send("DELETE", "/api/v1/namespaces/" + this.id, "");
			if (!this.target.isEmbedded()) {
				send("PUT", "/api/v1/namespaces/" + this.id + "/finalize",
						namespace.set("spec", Json.object()).toString());
			}
			this.target.close();
		}

	}

}
