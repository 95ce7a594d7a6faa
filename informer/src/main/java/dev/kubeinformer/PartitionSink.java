package dev.kubeinformer;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

import io.kubernetes.client.common.KubernetesObject;
import io.kubernetes.client.informer.TransformFunc;
import org.jspecify.annotations.Nullable;

import dev.kubeinformer.codec.DecodedObject;
import dev.kubeinformer.codec.ObjectMetadata;
import dev.kubeinformer.codec.UnmodifiableModels;
import dev.kubeinformer.codec.WatchFrame;
import dev.kubeinformer.reflector.Condition;
import dev.kubeinformer.reflector.Failure;
import dev.kubeinformer.reflector.ReflectorSink;
import dev.kubeinformer.store.DeletedObject;
import dev.kubeinformer.store.ObjectKey;
import dev.kubeinformer.store.ObjectStore;
import dev.kubeinformer.store.StoredObject;
import dev.kubeinformer.store.UnreadableObject;

/**
 * Carries what one reflector learns into the store, past the transform. Objects that
 * cannot be read or transformed are quarantined: they count as present, and cost no other
 * object anything. Used by the reflector's thread only.
 *
 * @param <T> the model class
 */
final class PartitionSink<T extends KubernetesObject> implements ReflectorSink<T> {

	private final String partition;

	private final Class<T> objectClass;

	private final String resource;

	private final ObjectStore<T> store;

	private final StatusTracker status;

	private final @Nullable TransformFunc transform;

	private final Map<ObjectKey, String> quarantine = new HashMap<>();

	/** Which life of the partition this sink writes to; those that follow refuse it. */
	private final int epoch;

	private boolean compareContent;

	private volatile boolean ended;

	PartitionSink(String partition, InformerSpec<T> spec, ObjectStore<T> store, StatusTracker status,
			@Nullable TransformFunc transform, boolean transformChanged) {
		this.epoch = store.epoch(partition);
		this.compareContent = transformChanged;
		this.partition = partition;
		this.objectClass = spec.type().objectClass();
		this.resource = spec.type().name();
		this.store = store;
		this.status = status;
		this.transform = transform;
	}

	/**
	 * Takes nothing any more: a reflector that is slow to end does not touch the store of
	 * its successor.
	 */
	void end() {
		this.ended = true;
	}

	@Override
	public void replace(List<DecodedObject<T>> objects, String resourceVersion, boolean versionsProveNothing) {
		if (this.ended) {
			return;
		}
		List<StoredObject<T>> readable = new ArrayList<>(objects.size());
		List<UnreadableObject> unreadable = new ArrayList<>();
		boolean nameless = false;
		this.quarantine.clear();
		@Nullable String problem = null;
		for (DecodedObject<T> decoded : objects) {
			Prepared<T> prepared = prepare(decoded);
			if (prepared.stored() != null) {
				readable.add(prepared.stored());
			}
			else if (prepared.problem() != null) {
				problem = quarantine(decoded.metadata(), prepared.problem());
				nameless |= !decoded.metadata().hasName();
				unreadable.add(new UnreadableObject(key(decoded.metadata()), decoded.metadata().uid()));
			}
		}
		// First the status: whoever waited for the sync finds it complete.
		this.status.listed();
		reportQuarantine("list", problem);
		this.store.replace(this.epoch, this.partition, readable, unreadable, nameless, resourceVersion,
				versionsProveNothing || this.compareContent);
		this.compareContent = false;
		if (this.store.hasFullState()) {
			this.status.synced();
		}
	}

	@Override
	public void regressed(String resourceVersion, String newestSeen) {
		if (!this.ended) {
			this.status.regressed(resourceVersion, newestSeen);
		}
	}

	@Override
	public void apply(WatchFrame<T> frame, String resourceVersion) {
		DecodedObject<T> decoded = frame.object();
		if (this.ended || decoded == null) {
			return;
		}
		if (frame.type() == WatchFrame.Type.DELETED) {
			remove(decoded, resourceVersion);
			return;
		}
		Prepared<T> prepared = prepare(decoded);
		if (prepared.problem() != null) {
			String problem = quarantine(decoded.metadata(), prepared.problem());
			this.store.advance(this.epoch, this.partition, resourceVersion);
			reportQuarantine("watch", problem);
			return;
		}
		release(decoded.metadata());
		if (prepared.stored() != null) {
			this.store.put(this.epoch, this.partition, prepared.stored(), resourceVersion);
		}
		else {
			this.store.remove(this.epoch, this.partition, identity(decoded), null, false, resourceVersion);
		}
	}

	private void remove(DecodedObject<T> decoded, String resourceVersion) {
		boolean unread = release(decoded.metadata());
		if (!decoded.metadata().hasName()) {
			this.store.advance(this.epoch, this.partition, resourceVersion);
			return;
		}
		T last = decoded.object();
		// The server's last state never went through the transform: with one, the
		// cached state is told.
		StoredObject<T> lastState = (last != null && this.transform == null) ? stored(decoded.metadata(), last) : null;
		boolean unknown = last == null || (lastState == null && unread);
		this.store.remove(this.epoch, this.partition, identity(decoded), lastState, unknown, resourceVersion);
	}

	private Prepared<T> prepare(DecodedObject<T> decoded) {
		T object = decoded.object();
		if (object == null) {
			return new Prepared<>(null, decoded.problem());
		}
		if (this.transform == null) {
			return new Prepared<>(stored(decoded.metadata(), object), null);
		}
		try {
			KubernetesObject transformed = this.transform.transform(object);
			return (transformed != null) ? frozen(decoded.metadata(), transformed) : new Prepared<>(null, null);
		}
		catch (Exception | Error ex) {
			return new Prepared<>(null, "the transform threw " + ex.getClass().getName());
		}
	}

	private Prepared<T> frozen(ObjectMetadata metadata, KubernetesObject transformed) {
		if (!this.objectClass.isInstance(transformed)) {
			return new Prepared<>(null, "the transform returned an object of " + transformed.getClass().getName());
		}
		try {
			UnmodifiableModels.freeze(transformed);
			return new Prepared<>(stored(metadata, this.objectClass.cast(transformed)), null);
		}
		catch (RuntimeException | Error ex) {
			return new Prepared<>(null,
					"what the transform returned cannot be made unmodifiable, because of " + ex.getClass().getName());
		}
	}

	private static <T> StoredObject<T> stored(ObjectMetadata metadata, T object) {
		return new StoredObject<>(metadata.namespace(), metadata.name(), metadata.uid(), metadata.resourceVersion(),
				object);
	}

	private static <T> DeletedObject identity(DecodedObject<T> decoded) {
		ObjectMetadata metadata = decoded.metadata();
		return new DeletedObject(key(metadata), metadata.uid(), metadata.resourceVersion());
	}

	private static ObjectKey key(ObjectMetadata metadata) {
		return new ObjectKey(metadata.namespace(), metadata.name());
	}

	private String quarantine(ObjectMetadata metadata, String problem) {
		ObjectKey key = key(metadata);
		this.quarantine.put(key, metadata.uid());
		return "'%s' is left as it was: %s".formatted(metadata.hasName() ? key : "an object without a name", problem);
	}

	private boolean release(ObjectMetadata metadata) {
		boolean released = this.quarantine.remove(key(metadata)) != null;
		if (released) {
			this.status.quarantined(this.partition, this.quarantine.size(), null);
		}
		return released;
	}

	private void reportQuarantine(String verb, @Nullable String problem) {
		InformerError error = (problem != null)
				? new InformerError(this.status.now(), verb, this.resource, null, "Unreadable",
						"%d of the %s cannot be read; %s".formatted(this.quarantine.size(), this.resource, problem))
				: null;
		this.status.quarantined(this.partition, this.quarantine.size(), error);
	}

	@Override
	public void advance(String resourceVersion) {
		if (!this.ended) {
			this.store.advance(this.epoch, this.partition, resourceVersion);
		}
	}

	@Override
	public void alive() {
		this.status.alive();
	}

	@Override
	public void condition(Condition condition) {
		if (!this.ended) {
			this.status.condition(this.partition, condition, this.store.snapshot());
		}
	}

	@Override
	public void failed(String verb, Failure failure, @Nullable String next) {
		if (!this.ended) {
			this.status.failed(verb, failure, next);
		}
	}

	private record Prepared<T>(@Nullable StoredObject<T> stored, @Nullable String problem) {

	}

}
