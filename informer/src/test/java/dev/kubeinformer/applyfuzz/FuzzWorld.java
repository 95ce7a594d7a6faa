package dev.kubeinformer.applyfuzz;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;

import io.kubernetes.client.common.KubernetesObject;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ObjectNode;

import dev.kubeinformer.Informers;
import dev.kubeinformer.applyfuzz.FuzzServer.Answer;
import dev.kubeinformer.controller.OwnedResource;
import dev.kubeinformer.controller.ReconcilerContainer;
import dev.kubeinformer.controller.ReconcilerSpec;
import dev.kubeinformer.controller.Reconciliation;
import dev.kubeinformer.controller.Result;
import dev.kubeinformer.internal.codec.MalformedResponseException;
import dev.kubeinformer.internal.codec.json.JsonMappers;
import dev.kubeinformer.internal.codec.json.ModelJson;
import dev.kubeinformer.resource.ResourceType;

/**
 * An operator that applies one child for each of its primaries, and hands that do the
 * same by plain server-side apply.
 */
final class FuzzWorld implements AutoCloseable {

	static final String OURS = "fuzz-ours";

	static final String DOUBLES = "fuzz-doubles";

	static final String MANAGER = "parents";

	private static final Duration LONG = Duration.ofSeconds(60);

	private final ModelJson json = new ModelJson(new JsonMappers(false));

	private final Map<String, FuzzChild> children = new ConcurrentHashMap<>();

	private final FuzzServer server;

	private final List<FuzzType> types;

	private final boolean protobuf;

	private @Nullable Process process;

	FuzzWorld(FuzzServer server, List<FuzzType> types, boolean protobuf) {
		this.server = server;
		this.protobuf = protobuf;
		for (String namespace : List.of(OURS, DOUBLES)) {
			server.send("POST", "/api/v1/namespaces", null, Trees.parse("{metadata:{name:'" + namespace + "'}}"));
		}
		FuzzType.definitions()
			.forEach((definition) -> server.send("POST", "/apis/apiextensions.k8s.io/v1/customresourcedefinitions",
					null, definition));
		await("definitions", () -> server.get("/apis/fuzz.example.com/v1/parents").succeeded()
				&& server.get("/apis/fuzz.example.com/v1/blobs").succeeded());
		this.types = types.stream()
			.filter((type) -> server.get(type.type().path(type.namespaced() ? OURS : null)).succeeded())
			.toList();
	}

	private static void await(String what, java.util.function.BooleanSupplier condition) {
		org.awaitility.Awaitility.await(what).atMost(LONG).until(condition::getAsBoolean);
	}

	FuzzServer server() {
		return this.server;
	}

	List<FuzzType> types() {
		return this.types;
	}

	/**
	 * Adds a child, which the operator makes with its next rest.
	 */
	void add(FuzzChild child) {
		Answer parent = this.server.send("POST", "/apis/fuzz.example.com/v1/parents", null,
				Trees.parse("{apiVersion:'fuzz.example.com/v1',kind:'Parent',metadata:{name:'" + child.name + "'}}"));
		require(parent, "create a parent of " + child);
		child.owner = parent.body().path("metadata").path("uid").asString();
		this.children.put(child.name, child);
	}

	void remove(FuzzChild child) {
		this.children.remove(child.name);
		this.server.send("DELETE", "/apis/fuzz.example.com/v1/parents/" + child.name, null, null);
		for (boolean ours : List.of(true, false)) {
			delete(ours ? child.path() : child.doublePath());
		}
		this.server.takeWrites(child.path());
	}

	private static void require(Answer answer, String what) {
		if (!answer.succeeded()) {
			throw new IllegalStateException("Cannot " + what + ": " + answer);
		}
	}

	/**
	 * The object that the reconciler wants.
	 */
	private <C extends KubernetesObject> C model(ResourceType<C> type, FuzzChild child) {
		ObjectNode tree = child.wanted.deepCopy();
		tree.put("apiVersion", type.apiVersion()).put("kind", type.kind());
		Trees.metadata(tree).put("name", child.nameAt(true));
		if (child.type.namespaced()) {
			Trees.metadata(tree).put("namespace", OURS);
		}
		try {
			return this.json.read(type, tree.toString().getBytes(StandardCharsets.UTF_8));
		}
		catch (MalformedResponseException ex) {
			throw new IllegalStateException("%s cannot be %s".formatted(child, tree), ex);
		}
	}

	/** Configuration that a plain server-side apply of the double sends. */
	private ObjectNode configuration(FuzzChild child) {
		ObjectNode tree = Trees.parse(
				new String(this.json.write(this.json.tree(model(child.type.type(), child))), StandardCharsets.UTF_8));
		tree.remove("status");
		ObjectNode metadata = Trees.metadata(tree);
		metadata.put("name", child.nameAt(false));
		if (child.type.namespaced()) {
			metadata.put("namespace", DOUBLES);
		}
		metadata.set("ownerReferences",
				Trees
					.parse("{o:[{apiVersion:'fuzz.example.com/v1',kind:'Parent',name:'" + child.name + "',uid:'"
							+ child.doubleOwner + "',controller:true,blockOwnerDeletion:true}]}")
					.get("o"));
		return tree;
	}

	/**
	 * Applies the double.
	 */
	Answer applyDouble(FuzzChild child, boolean dryRun) {
		return this.server.send("PATCH",
				child.doublePath() + "?force=true&fieldManager=" + MANAGER + (dryRun ? "&dryRun=All" : ""),
				FuzzServer.APPLY, configuration(child));
	}

	/**
	 * Edits one of the two objects.
	 */
	Answer edit(FuzzChild child, FuzzEdit edit, boolean ours) {
		String path = ours ? child.path() : child.doublePath();
		return switch (edit.verb()) {
			case MERGE -> this.server.send("PATCH", path + "?fieldManager=merger", FuzzServer.MERGE, edit.body());
			case UPDATE -> {
				ObjectNode object = this.server.get(path).body();
				Trees.merge(object, edit.body());
				yield this.server.send("PUT", path + "?fieldManager=updater", null, object);
			}
			case APPLY -> {
				ObjectNode object = edit.body().deepCopy();
				object.put("apiVersion", child.type.type().apiVersion()).put("kind", child.type.kind());
				Trees.metadata(object).put("name", child.nameAt(ours));
				yield this.server.send("PATCH", path + "?force=true&fieldManager=other", FuzzServer.APPLY, object);
			}
			case DELETE -> delete(path);
			case RECREATE -> {
				ObjectNode object = Trees.withoutServerFields(this.server.get(path).body());
				Trees.merge(object, edit.body());
				delete(path);
				yield this.server.send("POST", path.substring(0, path.lastIndexOf('/')) + "?fieldManager=creator", null,
						object);
			}
		};
	}

	private Answer delete(String path) {
		Answer found = this.server.get(path);
		if (!found.succeeded()) {
			return found;
		}
		if (!found.body().path("metadata").path("finalizers").isEmpty()) {
			this.server.send("PATCH", path + "?fieldManager=finalizer", FuzzServer.MERGE,
					Trees.parse("{metadata:{finalizers:null}}"));
		}
		return this.server.send("DELETE", path + "?gracePeriodSeconds=0&propagationPolicy=Background", null, null);
	}

	void start() {
		Process next = new Process();
		next.baton.grant();
		next.container.start();
		this.process = next;
		this.children.values().forEach((child) -> child.undecided = false);
	}

	void stop() {
		Process last = this.process;
		if (last != null) {
			last.close();
		}
		this.process = null;
	}

	/**
	 * Has another process lead, which has watched for a while.
	 */
	void handOver(Runnable meanwhile) throws InterruptedException {
		Process last = Objects.requireNonNull(this.process);
		Process next = new Process();
		next.container.start();
		next.container.awaitSync(LONG);
		last.baton.lose();
		meanwhile.run();
		next.baton.grant();
		last.close();
		this.process = next;
		this.children.values().forEach((child) -> child.undecided = false);
	}

	/**
	 * Has the operator look at all primaries, and waits until it has nothing to do.
	 */
	void rest() throws InterruptedException {
		ReconcilerContainer container = Objects.requireNonNull(this.process).container;
		container.awaitSync(LONG);
		container.triggerAll();
		if (!container.awaitIdle(LONG)) {
			throw new IllegalStateException("The operator does not come to rest: " + container.status());
		}
	}

	@Override
	public void close() {
		stop();
		List.copyOf(this.children.values()).forEach(this::remove);
		FuzzType.definitions()
			.forEach((definition) -> this.server.send("DELETE",
					"/apis/apiextensions.k8s.io/v1/customresourcedefinitions/"
							+ definition.at("/metadata/name").asString(),
					null, null));
	}

	/**
	 * One process of the operator.
	 */
	private final class Process {

		private final Baton baton = new Baton();

		private final Informers informers = Informers.builder(FuzzWorld.this.server.operatorClient())
			.protobuf(FuzzWorld.this.protobuf)
			.build();

		private final ReconcilerContainer container;

		Process() {
			ReconcilerSpec<Parent> spec = ReconcilerSpec.of(MANAGER, Parent.class, this::reconcile)
				.withLeadership(this.baton)
				.withFieldManager(MANAGER)
				.withConcurrency(4);
			for (FuzzType type : FuzzWorld.this.types) {
				spec = spec.withOwned(new OwnedResource<>(type.type(), null, true));
			}
			this.container = this.informers.controller(spec);
		}

		private Result reconcile(Parent parent, Reconciliation<Parent> run) throws Exception {
			FuzzChild child = FuzzWorld.this.children.get(run.key().name());
			if (child != null && child.owner.equals(parent.getMetadata().getUid())) {
				run.apply(model(child.type.type(), child));
			}
			return Result.done();
		}

		void close() {
			this.informers.reconcilers().all().forEach(ReconcilerContainer::stop);
			this.informers.close();
		}

	}

}
