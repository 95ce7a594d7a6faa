package dev.kubeinformer.test.internal.training;

import java.util.ArrayList;
import java.util.List;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import tools.jackson.databind.node.ObjectNode;

import dev.kubeinformer.test.internal.json.Json;
import dev.kubeinformer.test.internal.resource.ObjectKey;
import dev.kubeinformer.test.internal.resource.ResourceDefinition;
import dev.kubeinformer.test.internal.server.ApiServer;
import dev.kubeinformer.test.internal.status.RequestFailure;
import dev.kubeinformer.test.internal.write.WriteOptions;

/**
 * Keeps objects changing during the training run of an application. Creates copies of the
 * given objects, and repeatedly creates, changes and deletes one more copy of each.
 */
public final class TrainingObjects {

	private static final Logger logger = LoggerFactory.getLogger(TrainingObjects.class);

	private static final String ANNOTATION = "training.kubeinformer.dev/change";

	/** Fields that were set by the API server from which the objects were exported. */
	private static final List<String> FOREIGN = List.of("uid", "resourceVersion", "selfLink", "deletionTimestamp",
			"deletionGracePeriodSeconds");

	private final ApiServer server;

	private final List<Template> templates = new ArrayList<>();

	private int turn;

	private int phase;

	public TrainingObjects(ApiServer server) {
		this.server = server;
	}

	/**
	 * Creates the definitions of custom resources first and once, and then the requested
	 * number of copies of all other objects.
	 * @param manifests the objects
	 * @param copies the number of copies of each
	 * @throws IllegalArgumentException if a kind is not served, or the server rejects an
	 * object
	 */
	public void create(List<ObjectNode> manifests, int copies) {
		List<ObjectNode> definitions = manifests.stream().filter(TrainingObjects::isDefinition).toList();
		definitions.forEach((manifest) -> template(manifest).create(0));
		manifests.stream().filter((manifest) -> !isDefinition(manifest)).map(this::template).forEach((template) -> {
			this.templates.add(template);
			for (int i = 0; i < copies; i++) {
				template.create(i);
			}
		});
	}

	private static boolean isDefinition(ObjectNode manifest) {
		return "CustomResourceDefinition".equals(Json.text(manifest, "kind"));
	}

	private Template template(ObjectNode manifest) {
		String apiVersion = manifest.path("apiVersion").asString("");
		String kind = manifest.path("kind").asString("");
		ResourceDefinition type = this.server.types().ofKind(apiVersion, kind);
		if (type == null) {
			throw new IllegalArgumentException("The kind '%s' of '%s' is not served".formatted(kind, apiVersion)
					+ "; add the CustomResourceDefinition of a custom one");
		}
		ObjectNode metadata = manifest.withObject("metadata");
		FOREIGN.forEach(metadata::remove);
		return new Template(this.server, type, manifest);
	}

	/**
	 * Makes one change to a copy of one object. Successive calls do this for each object
	 * in turn: they create the additional copies, then change them, then change one
	 * permanent copy of each object, and then delete the additional copies.
	 */
	public void change() {
		if (this.templates.isEmpty()) {
			return;
		}
		Template template = this.templates.get(this.turn);
		switch (this.phase) {
			case 0 -> template.change(() -> template.create(Template.LIVE));
			case 1 -> template.change(() -> template.annotate(Template.LIVE));
			case 2 -> template.change(() -> template.annotate(0));
			default -> template.change(() -> template.delete(Template.LIVE));
		}
		this.turn = (this.turn + 1) % this.templates.size();
		if (this.turn == 0) {
			this.phase = (this.phase + 1) % 4;
		}
	}

	/**
	 * Object to copy.
	 *
	 * @param server the server
	 * @param type its resource
	 * @param manifest the object
	 */
	private record Template(ApiServer server, ResourceDefinition type, ObjectNode manifest) {

		/** Number of the additional copy, which is created and deleted. */
		static final int LIVE = -1;

		void create(int copy) {
			ObjectNode object = this.manifest.deepCopy();
			object.withObject("metadata").put("name", key(copy).name());
			try {
				this.server.store().create(this.type, key(copy).namespace(), object);
			}
			catch (RequestFailure ex) {
				throw new IllegalArgumentException("'%s' of kind '%s' cannot be created: %s".formatted(key(copy).name(),
						this.manifest.path("kind").asString(""), ex.getMessage()), ex);
			}
		}

		/**
		 * Makes a change, and ignores its failure. A change fails if the application
		 * itself has changed or deleted the object, or if a finalizer keeps an object
		 * that was deleted before.
		 * @param change the change
		 */
		void change(Runnable change) {
			try {
				change.run();
			}
			catch (IllegalArgumentException ex) {
				logger.debug("No change of a training object", ex);
			}
			catch (RequestFailure ex) {
				logger.debug("No change of '{}'", key(LIVE), ex);
			}
		}

		void annotate(int copy) {
			if (find(copy) != null) {
				this.server.store().patch(this.type, key(copy), (object) -> {
					object.withObject("metadata")
						.withObject("annotations")
						.put(ANNOTATION, Long.toString(this.server.log().revision()));
					return object;
				}, WriteOptions.DIRECT);
			}
		}

		void delete(int copy) {
			if (find(copy) != null) {
				this.server.store().delete(this.type, key(copy));
			}
		}

		// Returns null if the application has deleted the copy.
		private @Nullable Object find(int copy) {
			return this.server.log().get(this.type.resource(), key(copy));
		}

		private ObjectKey key(int copy) {
			String name = this.manifest.path("metadata").path("name").asString("");
			String namespace = this.manifest.path("metadata").path("namespace").asString("default");
			String suffix = (copy == 0) ? "" : (copy == LIVE) ? "-live" : "-copy-" + copy;
			return new ObjectKey((this.type.namespaced()) ? namespace : "", name + suffix);
		}

	}

}
