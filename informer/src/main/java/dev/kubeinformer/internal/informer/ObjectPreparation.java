package dev.kubeinformer.internal.informer;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

import io.kubernetes.client.common.KubernetesObject;
import io.kubernetes.client.informer.TransformFunc;
import io.kubernetes.client.openapi.models.V1ObjectMeta;
import io.kubernetes.client.util.generic.dynamic.DynamicKubernetesObject;
import org.jspecify.annotations.Nullable;

import dev.kubeinformer.internal.codec.DecodedObject;
import dev.kubeinformer.internal.codec.ObjectMetadata;
import dev.kubeinformer.internal.codec.model.UnmodifiableModels;
import dev.kubeinformer.internal.store.StoredObject;
import dev.kubeinformer.spi.TransformException;

/**
 * Turns a decoded object into a cache entry: applies the transform and freezes the
 * result.
 *
 * @param <T> the model class
 * @param objectClass the model class
 * @param transform the transform; {@code null} for none
 */
record ObjectPreparation<T extends KubernetesObject>(Class<T> objectClass, @Nullable TransformFunc transform) {

	/**
	 * Prepares an object.
	 * @param decoded the decoded object
	 * @return the object to store, or the reason why it cannot be stored; neither if the
	 * transform dropped it
	 */
	DecodedObject<T> prepare(DecodedObject<T> decoded) {
		T object = decoded.object();
		if (object == null || this.transform == null) {
			return decoded;
		}
		// Read the metadata before the transform, which may leave the object in any state
		// if it fails.
		V1ObjectMeta remains = (object instanceof DynamicKubernetesObject) ? null : remains(object);
		try {
			KubernetesObject transformed = this.transform.transform(object);
			return (transformed != null) ? frozen(this.transform, decoded.metadata(), transformed, remains)
					: new DecodedObject<>(decoded.metadata(), null, null);
		}
		catch (Exception | Error ex) {
			// For an object without a class, each read is expensive.
			return new DecodedObject<>(decoded.metadata(), null, thrown(this.transform, ex),
					(remains != null) ? remains : remains(object));
		}
	}

	private static @Nullable V1ObjectMeta remains(KubernetesObject object) {
		try {
			V1ObjectMeta metadata = object.getMetadata();
			return (metadata != null) ? new V1ObjectMeta().deletionTimestamp(metadata.getDeletionTimestamp())
				.finalizers(copy(metadata.getFinalizers()))
				.ownerReferences(copy(metadata.getOwnerReferences())) : null;
		}
		catch (RuntimeException ex) {
			// A method of a custom class may fail if the object lacks something.
			return null;
		}
	}

	private static <E> @Nullable List<E> copy(@Nullable List<E> list) {
		return (list != null) ? new ArrayList<>(list) : null;
	}

	private DecodedObject<T> frozen(TransformFunc by, ObjectMetadata metadata, KubernetesObject transformed,
			@Nullable V1ObjectMeta remains) {
		if (!this.objectClass.isInstance(transformed)) {
			return new DecodedObject<>(metadata, null,
					problem(name(by), "returned an object of " + transformed.getClass().getName()), remains);
		}
		try {
			KubernetesObject frozen = UnmodifiableModels.freeze(transformed);
			return new DecodedObject<>(metadata, this.objectClass.cast(frozen), null);
		}
		catch (RuntimeException | Error ex) {
			return new DecodedObject<>(metadata, null, problem(name(by),
					"returned an object that cannot be made unmodifiable, because of " + ex.getClass().getName()),
					remains);
		}
	}

	// The description of a problem names the transform and contains nothing of the
	// object.
	private static String thrown(TransformFunc by, Throwable ex) {
		return (ex instanceof TransformException named)
				? problem(named.transform(), "threw " + place(Objects.requireNonNullElse(named.getCause(), ex)))
				: problem(name(by), "threw " + place(ex));
	}

	private static String problem(String transform, String fact) {
		return "it cannot be transformed, as transform '%s' %s".formatted(transform, fact);
	}

	private static String place(Throwable ex) {
		// Leave out the message, which may quote the object.
		StackTraceElement[] trace = ex.getStackTrace();
		return (trace.length > 0) ? "%s in %s".formatted(ex.getClass().getName(), trace[0]) : ex.getClass().getName();
	}

	private static String name(TransformFunc transform) {
		String name = transform.getClass().getName();
		// The rest of a lambda's class name differs at each start.
		int lambda = name.indexOf("$$Lambda");
		return (lambda > 0) ? name.substring(0, lambda) : name;
	}

	/**
	 * Returns the stored form of an object that needs no preparation.
	 * @param <T> the model class
	 * @param metadata the metadata of the object
	 * @param object the object
	 * @return the stored form
	 */
	static <T> StoredObject<T> stored(ObjectMetadata metadata, T object) {
		return new StoredObject<>(metadata.namespace(), metadata.name(), metadata.uid(), metadata.resourceVersion(),
				object);
	}

}
