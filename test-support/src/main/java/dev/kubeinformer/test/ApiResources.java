package dev.kubeinformer.test;

import java.util.List;
import java.util.function.Consumer;
import java.util.function.IntFunction;

import io.kubernetes.client.common.KubernetesObject;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ObjectNode;

import dev.kubeinformer.test.internal.fault.Corruptions;
import dev.kubeinformer.test.internal.json.Json;
import dev.kubeinformer.test.internal.json.Models;
import dev.kubeinformer.test.internal.render.ObjectRenderer;
import dev.kubeinformer.test.internal.resource.ObjectKey;
import dev.kubeinformer.test.internal.resource.ResourceDefinition;
import dev.kubeinformer.test.internal.status.RequestFailure;
import dev.kubeinformer.test.internal.storage.PersistedObject;
import dev.kubeinformer.test.internal.storage.RevisionLog;
import dev.kubeinformer.test.internal.write.StoredObjects;
import dev.kubeinformer.test.internal.write.WriteOptions;

/**
 * Access to the objects of one resource directly in the storage, without HTTP, faults or the request log. A namespaced object without a namespace is stored in "default". Thread-safe.
 *
 * @param <T> the model class
 */
public final class ApiResources<T extends KubernetesObject> {

	private static final String DEFAULT_NAMESPACE = "default";

	private final ResourceDefinition type;

	private final Class<T> model;

	private final Models models;

	private final StoredObjects store;

	private final RevisionLog log;

	private final ObjectRenderer renderer = new ObjectRenderer(new Corruptions());

	ApiResources(ResourceDefinition type, Class<T> model, Models models, StoredObjects store, RevisionLog log) {
		this.type = type;
		this.model = model;
		this.models = models;
		this.store = store;
		this.log = log;
	}

	/**
	 * Creates an object.
	 * @param object the object, which is not modified
	 * @return the stored object
	 * @throws StatusException if the server would reject it
	 */
	public T create(T object) {
		return typed(store(object));
	}

	/**
	 * Creates many objects.
	 * @param count the number of objects
	 * @param template the function that creates an object from its number, counted from 0
	 */
	public void fill(int count, IntFunction<T> template) {
		for (int i = 0; i < count; i++) {
			store(template.apply(i));
		}
	}

	/**
	 * Replaces an object including its status.
	 * @param object the object, which is not modified; if its resourceVersion is not the current one, the update fails with a conflict
	 * @return the stored object
	 * @throws StatusException if the server would reject it
	 */
	public T update(T object) {
		String name = object.getMetadata().getName();
		return StatusException.translate(() -> typed(this.store.update(this.type,
				key(object.getMetadata().getNamespace(), name), this.models.toJson(object), WriteOptions.DIRECT)));
	}

	/**
	 * Creates an object, or replaces the object with that name, including its status.
	 * @param object the object, which is not modified; its resourceVersion is ignored
	 * @return the stored object
	 * @throws StatusException if the server would reject it
	 */
	public T createOrUpdate(T object) {
		ObjectNode tree = this.models.toJson(object);
		tree.withObject("metadata").remove("resourceVersion");
		ObjectKey key = key(object.getMetadata().getNamespace(), object.getMetadata().getName());
		while (true) {
			boolean exists = this.log.get(this.type.resource(), key) != null;
			try {
				return typed((exists) ? this.store.update(this.type, key, tree.deepCopy(), WriteOptions.DIRECT)
						: this.store.create(this.type, key.namespace(), tree.deepCopy()));
			}
			catch (RequestFailure ex) {
				// Another client may have deleted or created the object in between.
				if (exists == (this.log.get(this.type.resource(), key) != null)) {
					throw new StatusException(ex);
				}
			}
		}
	}

	/**
	 * Changes an object. If another client changes it at the same time, the change is repeated on the newer state.
	 * @param namespace the namespace
	 * @param name the name
	 * @param change the change of a copy of the object
	 * @return the stored object
	 * @throws StatusException 404 if it does not exist, or if the server would reject it
	 */
	public T edit(@Nullable String namespace, String name, Consumer<? super T> change) {
		ObjectKey key = key(namespace, name);
		while (true) {
			PersistedObject stored = StatusException.translate(() -> this.store.get(this.type, key));
			T edited = typed(stored);
			change.accept(edited);
			edited.getMetadata().setResourceVersion(Long.toString(stored.revision()));
			try {
				return typed(this.store.update(this.type, key, this.models.toJson(edited), WriteOptions.DIRECT));
			}
			catch (RequestFailure ex) {
				PersistedObject now = this.log.get(this.type.resource(), key);
				if (ex.code() != 409 || now == null || now.revision() == stored.revision()) {
					throw new StatusException(ex);
				}
			}
		}
	}

	/**
	 * Changes a cluster-scoped object, or an object of the namespace "default".
	 * @param name the name
	 * @param change the change of a copy of the object
	 * @return the stored object
	 * @throws StatusException 404 if it does not exist, or if the server would reject it
	 * @see #edit(String, String, Consumer)
	 */
	public T edit(String name, Consumer<? super T> change) {
		return edit(null, name, change);
	}

	/**
	 * Deletes the objects of all namespaces one by one.
	 */
	public void deleteAll() {
		for (PersistedObject object : this.log.list(this.type.resource(), "").objects()) {
			this.log.delete(this.type.resource(), object.key());
		}
	}

	/**
	 * Deletes an object at once.
	 * @param namespace the namespace
	 * @param name the name
	 * @return its last state with the resourceVersion of the delete
	 * @throws StatusException 404 if it does not exist
	 */
	public T delete(@Nullable String namespace, String name) {
		return typed(StatusException.translate(() -> this.store.delete(this.type, key(namespace, name))));
	}

	/**
	 * Deletes a cluster-scoped object, or an object of the namespace "default", at once.
	 * @param name the name
	 * @return its last state with the resourceVersion of the delete
	 * @throws StatusException 404 if it does not exist
	 */
	public T delete(String name) {
		return delete(null, name);
	}

	/**
	 * Returns an object.
	 * @param namespace the namespace
	 * @param name the name
	 * @return a copy of the object, or {@code null} if it does not exist
	 */
	public @Nullable T get(@Nullable String namespace, String name) {
		PersistedObject stored = this.log.get(this.type.resource(), key(namespace, name));
		return (stored != null) ? typed(stored) : null;
	}

	/**
	 * Returns a cluster-scoped object, or an object of the namespace "default".
	 * @param name the name
	 * @return a copy of the object, or {@code null} if it does not exist
	 */
	public @Nullable T get(String name) {
		return get(null, name);
	}

	/**
	 * Returns the objects of all namespaces.
	 * @return copies of the objects, ordered by namespace and name
	 */
	public List<T> list() {
		return list("");
	}

	/**
	 * Returns the objects of a namespace.
	 * @param namespace the namespace
	 * @return copies of the objects, ordered by name
	 */
	public List<T> list(String namespace) {
		return this.log.list(this.type.resource(), namespace).objects().stream().map(this::typed).toList();
	}

	private PersistedObject store(T object) {
		ObjectNode tree = this.models.toJson(object);
		String namespace = Json.text(tree.path("metadata"), "namespace");
		return StatusException.translate(() -> this.store.create(this.type, key(namespace, "").namespace(), tree));
	}

	private ObjectKey key(@Nullable String namespace, String name) {
		if (!this.type.namespaced()) {
			return new ObjectKey("", name);
		}
		return new ObjectKey((namespace != null) ? namespace : DEFAULT_NAMESPACE, name);
	}

	private T typed(PersistedObject stored) {
		return this.models.fromJson(this.renderer.object(this.type, stored), this.model);
	}

}
