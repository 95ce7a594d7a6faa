package dev.kubeinformer.resource;

import io.kubernetes.client.common.KubernetesObject;
import io.kubernetes.client.openapi.models.V1ObjectMeta;

/**
 * Base class for classes of custom resources, with the fields that every object has. A
 * subclass has the annotation {@link KubernetesResource}, a constructor without
 * parameters, and fields such as {@code spec} and {@code status}. Its API version and
 * kind are taken from the annotation. The base class is optional: any
 * {@link KubernetesObject} with the annotation works, such as a record.
 *
 * <pre class="code"> &#64;KubernetesResource(group = "example.com", version = "v1",
 * plural = "widgets") public class Widget extends CustomResource {
 *
 * public WidgetSpec spec = new WidgetSpec();
 *
 * public WidgetStatus status;
 *
 * }
 * </pre>
 */
public abstract class CustomResource implements KubernetesObject {

	private String apiVersion;

	private String kind;

	private V1ObjectMeta metadata = new V1ObjectMeta();

	/**
	 * Creates an object without a name.
	 * @throws UnknownResourceTypeException if the class does not have
	 * {@link KubernetesResource}
	 */
	protected CustomResource() {
		KubernetesResource resource = getClass().getAnnotation(KubernetesResource.class);
		if (resource == null) {
			throw new UnknownResourceTypeException(getClass());
		}
		// Interned, because each of the many objects in a cache keeps a reference.
		this.apiVersion = (resource.group().isEmpty() ? resource.version()
				: resource.group() + "/" + resource.version())
			.intern();
		this.kind = resource.kind().isEmpty() ? getClass().getSimpleName() : resource.kind();
	}

	@Override
	public String getApiVersion() {
		return this.apiVersion;
	}

	@Override
	public String getKind() {
		return this.kind;
	}

	@Override
	public V1ObjectMeta getMetadata() {
		return this.metadata;
	}

	/**
	 * Sets the metadata.
	 * @param metadata the metadata
	 */
	public void setMetadata(V1ObjectMeta metadata) {
		this.metadata = metadata;
	}

}
