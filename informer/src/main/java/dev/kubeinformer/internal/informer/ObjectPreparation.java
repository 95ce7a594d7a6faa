package dev.kubeinformer.internal.informer;

import java.util.ArrayList;
import java.util.List;

import io.kubernetes.client.common.KubernetesObject;
import io.kubernetes.client.informer.TransformFunc;
import io.kubernetes.client.openapi.models.V1ObjectMeta;
import io.kubernetes.client.util.generic.dynamic.DynamicKubernetesObject;
import org.jspecify.annotations.Nullable;

import dev.kubeinformer.internal.codec.DecodedObject;
import dev.kubeinformer.internal.codec.ObjectMetadata;
import dev.kubeinformer.internal.codec.model.UnmodifiableModels;
import dev.kubeinformer.internal.store.StoredObject;

/**
 * Makes what is stored of what is decoded: it passes the transform, and is unmodifiable
 * afterwards.
 *
 * @param <T> the model class
 * @param objectClass the model class
 * @param transform the transform; {@code null} for none
 */
record ObjectPreparation<T extends KubernetesObject>(Class<T> objectClass, @Nullable TransformFunc transform) {

	/**
	 * Prepares an object.
	 * @param decoded what is decoded of it
	 * @return what became of it
	 */
	Prepared<T> prepare(DecodedObject<T> decoded) {
		T object = decoded.object();
		if (object == null) {
			return new Prepared<>(null, decoded.problem(), decoded.remains());
		}
		if (this.transform == null) {
			return new Prepared<>(stored(decoded.metadata(), object), null, null);
		}
		// Before the transform, which may leave anything behind where it fails.
		V1ObjectMeta remains = (object instanceof DynamicKubernetesObject) ? null : remains(object);
		try {
			KubernetesObject transformed = this.transform.transform(object);
			return (transformed != null) ? frozen(this.transform, decoded.metadata(), transformed, remains)
					: new Prepared<>(null, null, null);
		}
		catch (Exception | Error ex) {
			// Of an object without a class, each look at it costs.
			return new Prepared<>(null, new TransformProblems(this.transform).thrown(ex),
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
			// The methods of a custom class may insist on what the object does not have.
			return null;
		}
	}

	private static <E> @Nullable List<E> copy(@Nullable List<E> list) {
		return (list != null) ? new ArrayList<>(list) : null;
	}

	private Prepared<T> frozen(TransformFunc by, ObjectMetadata metadata, KubernetesObject transformed,
			@Nullable V1ObjectMeta remains) {
		if (!this.objectClass.isInstance(transformed)) {
			return new Prepared<>(null, new TransformProblems(by).returned(transformed.getClass()), remains);
		}
		try {
			KubernetesObject frozen = UnmodifiableModels.freeze(transformed);
			return new Prepared<>(stored(metadata, this.objectClass.cast(frozen)), null, null);
		}
		catch (RuntimeException | Error ex) {
			return new Prepared<>(null, new TransformProblems(by).notFrozen(ex), remains);
		}
	}

	/**
	 * Makes what is stored of an object that needs no preparation.
	 * @param <T> the model class
	 * @param metadata its metadata
	 * @param object the object
	 * @return what is stored
	 */
	static <T> StoredObject<T> stored(ObjectMetadata metadata, T object) {
		return new StoredObject<>(metadata.namespace(), metadata.name(), metadata.uid(), metadata.resourceVersion(),
				object);
	}

	/**
	 * What became of an object.
	 *
	 * @param <T> the model class
	 * @param stored what is to be stored; {@code null} if the transform dropped it, or
	 * for a problem
	 * @param problem why it cannot be stored; {@code null} for none
	 * @param remains for a problem, what could be read of the metadata; {@code null} if
	 * nothing could
	 */
	record Prepared<T>(@Nullable StoredObject<T> stored, @Nullable String problem, @Nullable V1ObjectMeta remains) {

	}

}
