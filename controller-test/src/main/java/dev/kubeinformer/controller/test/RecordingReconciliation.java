package dev.kubeinformer.controller.test;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;

import io.kubernetes.client.common.KubernetesObject;
import org.jspecify.annotations.Nullable;

import dev.kubeinformer.controller.DeleteOptions;
import dev.kubeinformer.controller.Owned;
import dev.kubeinformer.controller.PatchFormat;
import dev.kubeinformer.controller.Reconciliation;
import dev.kubeinformer.controller.UnownedResource;
import dev.kubeinformer.internal.codec.json.ChildBody;
import dev.kubeinformer.internal.codec.json.JsonMappers;
import dev.kubeinformer.internal.codec.json.ModelJson;
import dev.kubeinformer.internal.codec.json.StatusPatch;
import dev.kubeinformer.internal.codec.model.ModelCopies;
import dev.kubeinformer.internal.codec.model.ModelStatus;
import dev.kubeinformer.resource.Metadata;
import dev.kubeinformer.resource.ResourceType;
import dev.kubeinformer.types.ObjectKey;

/**
 * Run for plain unit tests of a reconciler. It does not send requests, but records every
 * write. A write merges the object into its previous state, and returns the result with
 * an owner, a UID and a {@code resourceVersion}. Defaulting, validation and admission are
 * not simulated; use the embedded API to test with them. <pre class="code">
 * RecordingReconciliation&lt;Widget&gt; run = RecordingReconciliation.of(widget);
 * new WidgetReconciler().reconcile(widget, Owned.of(), run);
 * assertThat(run.applied(V1Deployment.class)).hasSize(1);
 * </pre>
 *
 * @param <T> the model class of the primary
 */
public final class RecordingReconciliation<T extends KubernetesObject> implements Reconciliation<T> {

	private final ModelJson json = new ModelJson(new JsonMappers(false));

	private final ResourceType<T> type;

	private final T object;

	private final ChildBody bodies;

	private final List<KubernetesObject> owned;

	private final RecordedObjects objects = new RecordedObjects(this.json);

	private final List<Write> writes = new ArrayList<>();

	private final List<RecordedEvent> events = new ArrayList<>();

	private final List<RecordedDeletion> deletions = new ArrayList<>();

	private int attempt = 1;

	private boolean quarantined;

	private String cluster = "default";

	private RecordingReconciliation(ResourceType<T> type, T primary, List<? extends KubernetesObject> owned) {
		this.type = type;
		this.object = this.objects.identified(type, ModelCopies.copy(primary));
		this.bodies = new ChildBody(type, this.object);
		this.owned = List.copyOf(owned);
		this.objects.remember(type, this.object);
		owned.forEach(this::remember);
	}

	private void remember(KubernetesObject each) {
		if (each instanceof Metadata<?> metadata) {
			this.objects.describe(metadata);
		}
		else {
			this.objects.remember(ResourceType.of(each.getClass()), each);
		}
	}

	/**
	 * Returns a run for a primary that owns nothing yet.
	 * @param <T> the model class of the primary
	 * @param primary the primary; a missing UID is generated, and a missing namespace is
	 * set to {@code default}
	 * @return the run
	 */
	public static <T extends KubernetesObject> RecordingReconciliation<T> of(T primary) {
		return of(primary, new KubernetesObject[0]);
	}

	/**
	 * Returns a run for a primary that owns objects.
	 * @param <T> the model class of the primary
	 * @param primary the primary
	 * @param owned the objects, of any classes
	 * @return the run
	 */
	@SuppressWarnings("unchecked") // the resource is of the object's own class
	public static <T extends KubernetesObject> RecordingReconciliation<T> of(T primary, KubernetesObject... owned) {
		ResourceType<T> type = ResourceType.of((Class<T>) primary.getClass());
		return new RecordingReconciliation<>(type, primary, Arrays.asList(owned));
	}

	/**
	 * Returns a run for a primary that owns objects.
	 * @param <T> the model class of the primary
	 * @param primary the primary
	 * @param owned the objects, as they are given to the reconciler
	 * @return the run
	 */
	public static <T extends KubernetesObject> RecordingReconciliation<T> of(T primary, Owned<?>... owned) {
		List<KubernetesObject> objects = new ArrayList<>();
		for (Owned<?> each : owned) {
			objects.addAll(each.list());
		}
		return of(primary, objects.toArray(KubernetesObject[]::new));
	}

	/**
	 * Sets the number of the attempt.
	 * @param attempt the number, from 1
	 * @return this run
	 */
	public RecordingReconciliation<T> withAttempt(int attempt) {
		this.attempt = attempt;
		return this;
	}

	/**
	 * Marks the run as the cleanup of a quarantined primary: changes of the status are
	 * not written.
	 * @return this run
	 */
	public RecordingReconciliation<T> withQuarantined() {
		this.quarantined = true;
		return this;
	}

	/**
	 * Sets the name of the cluster.
	 * @param cluster the name; the run has {@code default} otherwise
	 * @return this run
	 */
	public RecordingReconciliation<T> withCluster(String cluster) {
		this.cluster = cluster;
		return this;
	}

	@Override
	public ObjectKey key() {
		return ObjectKey.of(this.object);
	}

	@Override
	public String cluster() {
		return this.cluster;
	}

	@Override
	public int attempt() {
		return this.attempt;
	}

	@Override
	public boolean isQuarantined() {
		return this.quarantined;
	}

	@Override
	public T object() {
		return this.object;
	}

	@Override
	public <C extends KubernetesObject> Owned<C> owned(Class<C> objectClass) {
		return Owned.of(this.owned.stream().filter(objectClass::isInstance).map(objectClass::cast).toList());
	}

	/**
	 * Returns the owned objects of a class that were given as metadata. As in a real run,
	 * objects that were passed as whole objects are not included.
	 */
	@Override
	@SuppressWarnings("unchecked") // the kind is that of the class
	public <C extends KubernetesObject> Owned<Metadata<C>> ownedMetadata(Class<C> objectClass) {
		ResourceType<C> of = ResourceType.of(objectClass);
		return Owned.of(this.owned.stream()
			.filter((each) -> each instanceof Metadata<?> && of.apiVersion().equals(each.getApiVersion())
					&& of.kind().equals(each.getKind()))
			.map((each) -> (Metadata<C>) each)
			.toList());
	}

	@Override
	public <C extends KubernetesObject> C apply(C desired) {
		ChildBody.requireWhole(desired);
		ResourceType<C> applied = typeOf(desired);
		Map<String, @Nullable Object> tree = this.json.tree(desired);
		tree.remove("status");
		boolean primary = desired.getClass() == this.object.getClass()
				&& ObjectKey.of(desired).name().equals(key().name());
		ObjectKey key = this.bodies.complete(applied, tree, !primary);
		if (key.name().isEmpty()) {
			throw new IllegalArgumentException(
					"The %s to apply has no metadata.name; server-side apply does not support generateName"
						.formatted(applied.kind()));
		}
		KubernetesObject there = this.objects.find(applied, key);
		if (there != null && !primary) {
			this.bodies.requireNotForeign(applied, there);
		}
		return record(Verb.APPLY, applied,
				(there != null) ? RecordedObjects.merged(this.json.tree(there), tree) : tree);
	}

	/**
	 * Records an object as {@link #applied(Class) applied}, with its labels and without
	 * an owner. Whether the reconciler declares the resource is not checked.
	 */
	@Override
	public <C extends KubernetesObject> C applyUnowned(C desired) {
		ChildBody.requireWhole(desired);
		ResourceType<C> applied = typeOf(desired);
		Map<String, @Nullable Object> tree = this.json.tree(desired);
		tree.remove("status");
		ObjectKey key = this.bodies.complete(applied, tree, false);
		if (key.name().isEmpty()) {
			throw new IllegalArgumentException(
					"The %s to apply has no metadata.name; server-side apply does not support generateName"
						.formatted(applied.kind()));
		}
		Map<String, @Nullable Object> metadata = new LinkedHashMap<>();
		metadata.put("labels",
				Map.of(UnownedResource.RECONCILER_LABEL, "recording", UnownedResource.PRIMARY_UID_LABEL, uid()));
		metadata.put("annotations", Map.of(UnownedResource.PRIMARY_ANNOTATION, key().toString()));
		RecordedObjects.merged(tree, Map.of("metadata", metadata));
		KubernetesObject there = this.objects.find(applied, key);
		return record(Verb.APPLY, applied,
				(there != null) ? RecordedObjects.merged(this.json.tree(there), tree) : tree);
	}

	private String uid() {
		return Objects.requireNonNull(Objects.requireNonNull(this.object.getMetadata()).getUid());
	}

	/**
	 * Returns the objects of a class that were passed as owned objects but have no owner.
	 */
	@Override
	public <C extends KubernetesObject> Owned<C> unowned(Class<C> objectClass) {
		return Owned.of(this.owned.stream()
			.filter(objectClass::isInstance)
			.filter((each) -> each.getMetadata() == null || each.getMetadata().getOwnerReferences() == null
					|| each.getMetadata().getOwnerReferences().isEmpty())
			.map(objectClass::cast)
			.toList());
	}

	@Override
	public <C extends KubernetesObject> C create(C object) {
		ChildBody.requireWhole(object);
		ResourceType<C> created = typeOf(object);
		Map<String, @Nullable Object> tree = this.json.tree(object);
		ObjectKey key = this.bodies.complete(created, tree, true);
		if (key.name().isEmpty() && object.getMetadata() != null && object.getMetadata().getGenerateName() != null) {
			String name = this.objects.generatedName(object.getMetadata().getGenerateName());
			RecordedObjects.merged(tree, Map.of("metadata", Map.of("name", name)));
		}
		return record(Verb.CREATE, created, tree);
	}

	@Override
	public <C extends KubernetesObject> void delete(C object) {
		delete(object, DeleteOptions.defaults());
	}

	@Override
	public <C extends KubernetesObject> void delete(C object, DeleteOptions options) {
		if (object instanceof Metadata<?> metadata) {
			this.objects.removeDescribed(metadata);
		}
		else {
			ResourceType<C> deleted = typeOf(object);
			this.objects.remove(deleted, keyOf(deleted, object));
		}
		this.writes.add(new Write(Verb.DELETE, object, null, null));
		this.deletions.add(new RecordedDeletion(object, options));
	}

	/**
	 * Records a patch. A merge patch is applied to the object; patches of other formats
	 * are recorded only.
	 */
	@Override
	@SuppressWarnings("unchecked") // metadata stays metadata
	public <C extends KubernetesObject> C patch(C object, PatchFormat format, String patch) {
		if (object instanceof Metadata<?> metadata) {
			Metadata<?> patched = this.objects.patched(metadata, (format == PatchFormat.MERGE) ? patch : null);
			this.writes.add(new Write(Verb.PATCH, patched, format, patch));
			return (C) patched;
		}
		ResourceType<C> patched = typeOf(object);
		KubernetesObject there = this.objects.get(patched, keyOf(patched, object));
		Map<String, @Nullable Object> tree = this.json.tree((there != null) ? there : object);
		if (format == PatchFormat.MERGE) {
			RecordedObjects.merged(tree, this.objects.parsed(patch));
		}
		C result = this.objects.remember(patched, this.objects.read(patched, tree));
		this.writes.add(new Write(Verb.PATCH, result, format, patch));
		return result;
	}

	@Override
	public T status(Consumer<? super T> change) {
		return replaceStatus((base) -> {
			T copy = ModelStatus.created(base);
			change.accept(copy);
			return copy;
		});
	}

	@Override
	public T replaceStatus(UnaryOperator<T> change) {
		T base = primary();
		if (this.quarantined) {
			return base;
		}
		T changed = change.apply(ModelCopies.copy(base));
		StatusPatch patch = StatusPatch.between(this.json.tree(base), this.json.tree(changed));
		return patch.isEmpty() ? base : record(Verb.STATUS, this.type, this.json.tree(changed));
	}

	@Override
	public void event(EventType type, String reason, String note) {
		this.events.add(new RecordedEvent(type, reason, note));
	}

	@Override
	public void written(KubernetesObject object) {
		this.writes.add(new Write(Verb.WRITTEN, object, null, null));
	}

	/**
	 * Returns the primary in its current state, including status changes of the run.
	 * @return the primary
	 */
	public T primary() {
		KubernetesObject primary = this.objects.get(this.type, key());
		return (primary != null) ? this.type.objectClass().cast(primary) : this.object;
	}

	/**
	 * Returns the applied objects of a class.
	 * @param <C> the model class
	 * @param objectClass the model class
	 * @return the objects as {@link #apply} returned them, in order
	 */
	public <C extends KubernetesObject> List<C> applied(Class<C> objectClass) {
		return objects(Verb.APPLY).stream().filter(objectClass::isInstance).map(objectClass::cast).toList();
	}

	/**
	 * Returns the created objects.
	 * @return the objects as {@link #create} returned them, in order
	 */
	public List<KubernetesObject> created() {
		return objects(Verb.CREATE);
	}

	/**
	 * Returns the deleted objects.
	 * @return the objects as they were given, in order
	 */
	public List<KubernetesObject> deleted() {
		return objects(Verb.DELETE);
	}

	/**
	 * Returns the deletions with their options.
	 * @return the deletions, in order
	 */
	public List<RecordedDeletion> deletions() {
		return List.copyOf(this.deletions);
	}

	/**
	 * Returns the patches.
	 * @return the writes with their patches, in order
	 */
	public List<Write> patched() {
		return this.writes.stream().filter((each) -> each.verb() == Verb.PATCH).toList();
	}

	/**
	 * Returns the primary after each change of its status.
	 * @return the primaries, in order; a write that leaves the status as it is does not
	 * add one
	 */
	public List<T> statuses() {
		return objects(Verb.STATUS).stream().map(this.type.objectClass()::cast).toList();
	}

	/**
	 * Returns the events.
	 * @return the events, in order
	 */
	public List<RecordedEvent> events() {
		return List.copyOf(this.events);
	}

	/**
	 * Returns all writes.
	 * @return the writes, in order
	 */
	public List<Write> writes() {
		return List.copyOf(this.writes);
	}

	private List<KubernetesObject> objects(Verb verb) {
		return this.writes.stream().filter((each) -> each.verb() == verb).map(Write::object).toList();
	}

	@SuppressWarnings("unchecked") // the resource is of the object's own class
	private static <C extends KubernetesObject> ResourceType<C> typeOf(C object) {
		return ResourceType.of((Class<C>) object.getClass());
	}

	private ObjectKey keyOf(ResourceType<?> of, KubernetesObject object) {
		ObjectKey key = ObjectKey.of(object);
		return this.bodies.key(of, key.namespace(), key.name());
	}

	private <C extends KubernetesObject> C record(Verb verb, ResourceType<C> of, Map<String, @Nullable Object> tree) {
		C result = this.objects.remember(of, this.objects.read(of, tree));
		this.writes.add(new Write(verb, result, null, null));
		return result;
	}

	@Override
	public String toString() {
		return "Recorded run of '%s'".formatted(key());
	}

	/**
	 * Verb of a write.
	 */
	public enum Verb {

		/** Write with {@link Reconciliation#apply}. */
		APPLY,

		/** Write with {@link Reconciliation#create}. */
		CREATE,

		/** Write with {@link Reconciliation#delete}. */
		DELETE,

		/** Write with {@link Reconciliation#patch}. */
		PATCH,

		/** Write with {@link Reconciliation#status}. */
		STATUS,

		/** Object that was passed to {@link Reconciliation#written}. */
		WRITTEN

	}

	/**
	 * Write of the run.
	 *
	 * @param verb the kind of the write
	 * @param object the object as the writer returned it; a deleted object, or one
	 * written elsewhere, as it was passed
	 * @param format the format of the patch; {@code null} for other verbs
	 * @param patch the patch; {@code null} for other verbs
	 */
	public record Write(Verb verb, KubernetesObject object, @Nullable PatchFormat format, @Nullable String patch) {

	}

	/**
	 * Deletion of the run.
	 *
	 * @param object the object as it was given
	 * @param options the options
	 */
	public record RecordedDeletion(KubernetesObject object, DeleteOptions options) {

	}

	/**
	 * Event of the run.
	 *
	 * @param type the type
	 * @param reason the reason
	 * @param note the text
	 */
	public record RecordedEvent(EventType type, String reason, String note) {

	}

}
