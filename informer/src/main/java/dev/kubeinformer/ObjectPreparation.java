package dev.kubeinformer;

import io.kubernetes.client.common.KubernetesObject;
import io.kubernetes.client.informer.TransformFunc;
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
			return new Prepared<>(null, decoded.problem());
		}
		if (this.transform == null) {
			return new Prepared<>(stored(decoded.metadata(), object), null);
		}
		try {
			KubernetesObject transformed = this.transform.transform(object);
			return (transformed != null) ? frozen(this.transform, decoded.metadata(), transformed)
					: new Prepared<>(null, null);
		}
		catch (Exception | Error ex) {
			return new Prepared<>(null, new TransformProblems(this.transform).thrown(ex));
		}
	}

	private Prepared<T> frozen(TransformFunc by, ObjectMetadata metadata, KubernetesObject transformed) {
		if (!this.objectClass.isInstance(transformed)) {
			return new Prepared<>(null, new TransformProblems(by).returned(transformed.getClass()));
		}
		try {
			KubernetesObject frozen = UnmodifiableModels.freeze(transformed);
			return new Prepared<>(stored(metadata, this.objectClass.cast(frozen)), null);
		}
		catch (RuntimeException | Error ex) {
			return new Prepared<>(null, new TransformProblems(by).notFrozen(ex));
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
	 */
	record Prepared<T>(@Nullable StoredObject<T> stored, @Nullable String problem) {

	}

}
