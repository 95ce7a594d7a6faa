package dev.kubeinformer.internal.reconcile;

import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.Objects;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;

import io.kubernetes.client.common.KubernetesObject;
import io.kubernetes.client.openapi.ApiException;
import io.kubernetes.client.openapi.models.V1ObjectMeta;
import org.jspecify.annotations.Nullable;

import dev.kubeinformer.controller.DeleteOptions;
import dev.kubeinformer.controller.Owned;
import dev.kubeinformer.controller.PatchFormat;
import dev.kubeinformer.controller.Reconciliation;
import dev.kubeinformer.internal.codec.MalformedResponseException;
import dev.kubeinformer.internal.codec.json.ChildBody;
import dev.kubeinformer.internal.codec.json.StatusPatch;
import dev.kubeinformer.internal.codec.json.WrittenMetadata;
import dev.kubeinformer.internal.codec.model.ModelCopies;
import dev.kubeinformer.internal.codec.model.ModelStatus;
import dev.kubeinformer.internal.codec.model.UnmodifiableModels;
import dev.kubeinformer.internal.reconcile.AppliedDigest.AppliedBody;
import dev.kubeinformer.internal.transport.ApiWrites.Caller;
import dev.kubeinformer.internal.transport.ApiWrites.Deleted;
import dev.kubeinformer.internal.transport.RecordedWrite;
import dev.kubeinformer.resource.Metadata;
import dev.kubeinformer.resource.ResourceType;
import dev.kubeinformer.types.ObjectKey;

/**
 * View of a run that is passed to the function of a reconciler. Only the thread of the
 * run creates, uses and closes it.
 *
 * @param <T> the model class of the primary
 */
public final class RunReconciliation<T extends KubernetesObject> implements Reconciliation<T>, AutoCloseable {

	private final ReconcilerWriter<T> writer;

	private final RunContext<T> context;

	private final KnownResources resources;

	private final ChildBody bodies;

	private final UnownedObjects unowned;

	private final Caller caller;

	private final Thread thread = Thread.currentThread();

	/** Latest state of the primary that this run received. */
	private T latest;

	private volatile boolean ended;

	/**
	 * Creates the view of a run.
	 * @param writer the writing facilities of the reconciler
	 * @param context the run
	 */
	public RunReconciliation(ReconcilerWriter<T> writer, RunContext<T> context) {
		this.writer = writer;
		this.context = context;
		this.latest = context.primary();
		this.resources = new KnownResources(writer.spec(), context.sources());
		this.bodies = new ChildBody(writer.spec().type(), context.primary());
		this.unowned = new UnownedObjects(writer.spec(), context.primary());
		this.caller = new Caller(writer.spec().fieldManager(), context.calls());
	}

	@Override
	public ObjectKey key() {
		return this.context.run().key();
	}

	@Override
	public String cluster() {
		return this.writer.cluster();
	}

	@Override
	public int attempt() {
		return this.context.run().attempt();
	}

	@Override
	public T object() {
		return this.context.primary();
	}

	@Override
	public boolean isQuarantined() {
		return this.context.quarantined();
	}

	/**
	 * Returns the latest state of the primary that this run received, for example with
	 * its finalizer.
	 * @return the primary, which must not be changed
	 */
	public T latest() {
		return this.latest;
	}

	@Override
	public <C extends KubernetesObject> Owned<C> owned(Class<C> objectClass) {
		return this.context.sources().owned(objectClass);
	}

	@Override
	public <C extends KubernetesObject> Owned<Metadata<C>> ownedMetadata(Class<C> objectClass) {
		return this.context.sources().ownedMetadata(objectClass);
	}

	@Override
	public <C extends KubernetesObject> C apply(C desired) throws ApiException {
		requireUsable("apply");
		Map<String, @Nullable Object> tree = treeOf(desired);
		ResourceType<C> type = this.resources.of(desired);
		boolean primary = isPrimary(type, desired);
		ObjectKey key = named(type, this.bodies.complete(type, tree, !primary));
		C cached = this.context.sources().cached(type, key);
		KubernetesObject unreadable = this.context.sources().unreadable(type, key);
		KubernetesObject there = (unreadable != null) ? unreadable
				: (cached != null) ? cached : this.context.sources().cached(type.metadata(), key);
		if (there != null && !primary) {
			this.bodies.requireNotForeign(type, there);
		}
		AppliedBody body = this.writer.body(tree, there, this.resources.hasWhole(type));
		// For an unreadable object, the cache does not show the server's state.
		if (there != null && unreadable == null && this.writer.isInPlace(desired, there, body)) {
			return (cached != null) ? cached : withMetadata(type, tree, there);
		}
		// Do not take over fields of the primary: other managers write it, too, and an
		// apply never names their fields.
		C returned = primary ? this.writer.writes().apply(type, key, body.bytes(), this.caller)
				: takenOver(type, key, there, body);
		return applied(type, returned, desired, body);
	}

	@Override
	public <C extends KubernetesObject> C applyUnowned(C desired) throws ApiException {
		requireUsable("applyUnowned");
		Map<String, @Nullable Object> tree = treeOf(desired);
		ResourceType<C> type = this.resources.of(desired);
		ObjectKey key = named(type, this.bodies.complete(type, tree, false));
		this.unowned.requireDeclared(type, key);
		this.unowned.mark(tree);
		// For an unreadable object, the cache does not show the server's state.
		C cached = (this.context.sources().unreadable(type, key) == null) ? this.context.sources().cached(type, key)
				: null;
		// The cache selects objects by the label, so it does not show other objects. Read
		// only the metadata, which can be decoded whatever the rest contains.
		KubernetesObject there = (cached != null) ? cached
				: this.writer.writes().get(type.metadata(), key, this.caller);
		if (there != null) {
			this.unowned.requireOwn(type, there);
		}
		AppliedBody body = this.writer.body(tree, there, this.resources.hasWhole(type));
		if (cached != null && this.writer.isInPlace(desired, cached, body)) {
			return cached;
		}
		return applied(type, takenOver(type, key, there, body), desired, body);
	}

	@Override
	public <C extends KubernetesObject> Owned<C> unowned(Class<C> objectClass) {
		return this.context.sources().unowned(objectClass);
	}

	private <C extends KubernetesObject> Map<String, @Nullable Object> treeOf(C desired) {
		ChildBody.requireWhole(desired);
		Map<String, @Nullable Object> tree = this.writer.json().tree(desired);
		tree.remove("status");
		return tree;
	}

	private static ObjectKey named(ResourceType<?> type, ObjectKey key) {
		if (key.name().isEmpty()) {
			throw new IllegalArgumentException(
					"The %s to apply has no metadata.name; server-side apply does not support generateName"
						.formatted(type.kind()));
		}
		return key;
	}

	private <C extends KubernetesObject> C takenOver(ResourceType<C> type, ObjectKey key,
			@Nullable KubernetesObject there, AppliedBody body) throws ApiException {
		FieldTakeover.Child<C> child = new FieldTakeover.Child<>(type, key, body.bytes(), there,
				this.writer.digest().before(there), body.annotation() != null);
		return this.writer.takeover()
			.apply(this.writer.writes(), child, this.caller, (each) -> receivedShared(type, each));
	}

	private <C extends KubernetesObject> C applied(ResourceType<C> type, C returned, C desired, AppliedBody body) {
		remember(type, returned, desired, body);
		return receivedShared(type, returned);
	}

	private void remember(ResourceType<?> type, KubernetesObject returned, KubernetesObject desired, AppliedBody body) {
		if (!this.resources.hasWhole(type) && !this.resources.hasMetadata(type)) {
			// Without a cache, neither an unchanged state nor a deletion can be noticed.
			return;
		}
		boolean status = this.resources.hasMetadata(type) && this.writer.json().tree(returned).containsKey("status");
		if (status && !this.resources.hasWhole(type)) {
			// The cache does not show the status. Only the response to a further request
			// shows it.
			this.writer.applied().forget(returned);
		}
		else {
			this.writer.remember(returned, desired, body, status);
		}
	}

	private <C extends KubernetesObject> C withMetadata(ResourceType<C> type, Map<String, @Nullable Object> desired,
			KubernetesObject cached) {
		desired.put("metadata", this.writer.json().tree(cached.getMetadata()));
		try {
			return this.writer.json().read(type, this.writer.json().write(desired));
		}
		catch (MalformedResponseException ex) {
			throw new IllegalArgumentException("The %s to apply cannot be read again".formatted(type.kind()), ex);
		}
	}

	@Override
	public <C extends KubernetesObject> C create(C object) throws ApiException {
		requireUsable("create");
		ChildBody.requireWhole(object);
		ResourceType<C> type = this.resources.of(object);
		Map<String, @Nullable Object> tree = this.writer.json().tree(object);
		AppliedDigest.remove(tree);
		ObjectKey key = this.bodies.complete(type, tree, true);
		byte[] body = this.writer.json().write(tree);
		return received(type, this.writer.writes().create(type, key.namespace(), body, this.caller));
	}

	@Override
	public <C extends KubernetesObject> void delete(C object, DeleteOptions options) throws ApiException {
		requireUsable("delete");
		ResourceType<C> type = this.resources.of(object);
		ObjectKey key = key(type, object);
		Deleted<C> deleted = this.writer.writes().delete(type, key, Deletions.of(type, object, options), this.caller);
		this.context.log().deleted(type, object, deleted);
	}

	@Override
	public <C extends KubernetesObject> C patch(C object, PatchFormat format, String patch) throws ApiException {
		requireUsable("patch");
		ResourceType<C> type = this.resources.of(object);
		byte[] body = patch.getBytes(StandardCharsets.UTF_8);
		return received(type,
				this.writer.writes().patch(type, key(type, object), format.mediaType(), body, this.caller));
	}

	private ObjectKey key(ResourceType<?> type, KubernetesObject object) {
		ObjectKey key = ObjectKey.of(object);
		if (key.name().isEmpty()) {
			throw new IllegalArgumentException("The %s has no metadata.name".formatted(type.kind()));
		}
		return this.bodies.key(type, key.namespace(), key.name());
	}

	@Override
	public T status(Consumer<? super T> change) throws ApiException {
		requireUsable("status");
		return patched((base) -> {
			T copy = ModelStatus.created(base);
			change.accept(copy);
			return copy;
		});
	}

	@Override
	public T replaceStatus(UnaryOperator<T> change) throws ApiException {
		requireUsable("replaceStatus");
		return patched(change);
	}

	private T patched(UnaryOperator<T> change) throws ApiException {
		T base = this.latest;
		if (this.context.quarantined()) {
			// Do not send the request: its response could not be decoded, and then the
			// cleanup could never succeed.
			return base;
		}
		Map<String, @Nullable Object> before = this.writer.json().tree(base);
		T changed = change.apply(ModelCopies.copy(base));
		StatusPatch patch = StatusPatch.between(before, this.writer.json().tree(changed));
		if (patch.isEmpty()) {
			return base;
		}
		V1ObjectMeta metadata = base.getMetadata();
		byte[] body = this.writer.json().write(patch.body((metadata != null) ? metadata.getResourceVersion() : null));
		ResourceType<T> type = this.writer.spec().type();
		return received(type, this.writer.writes().patchStatus(type, key(), body, this.caller));
	}

	@Override
	public void event(EventType type, String reason, String note) {
		requireUsable("event");
		this.writer.events().report(this.latest, type, reason, note, this.context.calls());
	}

	@Override
	public void written(KubernetesObject object) {
		requireUsable("written");
		V1ObjectMeta metadata = object.getMetadata();
		if (metadata == null || metadata.getResourceVersion() == null || metadata.getResourceVersion().isEmpty()) {
			throw new IllegalArgumentException(
					"'%s' has no resourceVersion to wait for; pass the object that the API server returned from the write"
						.formatted(ObjectKey.of(object)));
		}
		ResourceType<?> type = this.resources.find(object);
		if (type != null) {
			received(type, object);
		}
	}

	/**
	 * Records a write that was seen on a client of the application.
	 * @param write the write
	 */
	public void recorded(RecordedWrite write) {
		ResourceType<?> type = this.resources.find(write);
		if (type != null && !this.ended) {
			if (write.deletion()) {
				this.context.log().deleted(type, write.object());
			}
			else {
				received(type, write.object());
			}
		}
	}

	/**
	 * Records the object that a write of this run returned.
	 * @param <C> the model class
	 * @param type the resource
	 * @param returned the object
	 * @return the object
	 */
	public <C extends KubernetesObject> C received(ResourceType<?> type, C returned) {
		noteIfPrimary(type, returned);
		// Record a copy, because the caller may change the object.
		this.context.log()
			.written(type, (returned instanceof WrittenMetadata) ? returned
					: UnmodifiableModels.freeze(ModelCopies.copy(returned)));
		return returned;
	}

	// Records an object that its receivers must not change.
	private <C extends KubernetesObject> C receivedShared(ResourceType<?> type, C returned) {
		noteIfPrimary(type, returned);
		this.context.log().written(type, returned);
		return returned;
	}

	private void noteIfPrimary(ResourceType<?> type, KubernetesObject returned) {
		if (isPrimary(type, returned) && type.objectClass().isInstance(returned)) {
			this.latest = this.writer.spec().type().objectClass().cast(returned);
		}
	}

	private boolean isPrimary(ResourceType<?> type, KubernetesObject object) {
		if (!type.equals(this.writer.spec().type())) {
			return false;
		}
		ObjectKey key = ObjectKey.of(object);
		return this.bodies.key(type, key.namespace(), key.name()).equals(key());
	}

	private void requireUsable(String method) {
		if (this.ended) {
			throw new IllegalStateException("'%s' was called after the run of '%s' had ended".formatted(method, key()));
		}
		Thread current = Thread.currentThread();
		if (current != this.thread) {
			throw new IllegalStateException(
					"'%s' was called by thread '%s', and the run of '%s' is for its own thread '%s' only; let the other thread return the object that it wrote, and pass that to 'written'"
						.formatted(method, current.getName(), key(), this.thread.getName()));
		}
	}

	/** Ends the run: it cannot write any more. */
	@Override
	public void close() {
		this.ended = true;
	}

	@Override
	public String toString() {
		return "Run of '%s', attempt %d".formatted(key(), Objects.requireNonNull(this.context.run()).attempt());
	}

}
