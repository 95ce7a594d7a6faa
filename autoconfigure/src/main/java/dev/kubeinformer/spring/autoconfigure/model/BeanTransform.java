package dev.kubeinformer.spring.autoconfigure.model;

import java.util.List;
import java.util.Objects;

import io.kubernetes.client.common.KubernetesObject;
import io.kubernetes.client.informer.TransformFunc;
import io.kubernetes.client.openapi.models.V1ObjectMeta;
import org.jspecify.annotations.Nullable;

import dev.kubeinformer.spi.TransformException;

/**
 * Chain of the transforms of one class. It checks their results, because the engine does
 * not cache an object whose transform returns {@code null}.
 *
 * @param transforms the transforms
 */
record BeanTransform(List<Named> transforms) implements TransformFunc {

	@Override
	public KubernetesObject transform(KubernetesObject object) {
		Identity identity = Identity.of(object);
		KubernetesObject transformed = object;
		for (Named each : this.transforms) {
			try {
				transformed = transform(each.transform(), transformed, identity);
			}
			catch (Exception | Error ex) {
				throw new TransformException(each.name(), ex);
			}
		}
		return transformed;
	}

	private static KubernetesObject transform(InformerTransform<KubernetesObject> transform, KubernetesObject object,
			Identity identity) {
		KubernetesObject transformed = transform.transform(object);
		if (transformed == null) {
			throw new TransformedToNullException();
		}
		if (!identity.equals(Identity.of(transformed))) {
			throw new TransformedIdentityException();
		}
		return transformed;
	}

	/**
	 * Transform of the application.
	 *
	 * @param name the name of its bean
	 * @param transform the transform
	 */
	record Named(String name, InformerTransform<KubernetesObject> transform) {

	}

	/**
	 * Identity of an object.
	 *
	 * @param namespace the namespace
	 * @param name the name
	 * @param uid the UID
	 * @param resourceVersion the version
	 */
	private record Identity(@Nullable String namespace, @Nullable String name, @Nullable String uid,
			@Nullable String resourceVersion) {

		static Identity of(KubernetesObject object) {
			V1ObjectMeta metadata = Objects.requireNonNullElseGet(object.getMetadata(), V1ObjectMeta::new);
			return new Identity(metadata.getNamespace(), metadata.getName(), metadata.getUid(),
					metadata.getResourceVersion());
		}

	}

	/**
	 * Thrown when a transform returned {@code null}. The status shows the name of this
	 * class.
	 */
	static final class TransformedToNullException extends RuntimeException {

		private static final long serialVersionUID = 1L;

	}

	/**
	 * Thrown when a transform changed the identity of an object. The status shows the
	 * name of this class.
	 */
	static final class TransformedIdentityException extends RuntimeException {

		private static final long serialVersionUID = 1L;

	}

}
