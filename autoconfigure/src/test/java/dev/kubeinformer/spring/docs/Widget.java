package dev.kubeinformer.spring.docs;

import com.google.gson.annotations.SerializedName;
import io.kubernetes.client.common.KubernetesObject;
import io.kubernetes.client.openapi.models.V1ObjectMeta;

import dev.kubeinformer.resource.KubernetesResource;

/**
 * The custom resource of the page.
 */
@KubernetesResource(group = "example.com", version = "v1", plural = "widgets")
public class Widget implements KubernetesObject {

	private String apiVersion = "example.com/v1";

	private String kind = "Widget";

	private V1ObjectMeta metadata = new V1ObjectMeta();

	WidgetSpec spec = new WidgetSpec();

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

	public WidgetSpec getSpec() {
		return this.spec;
	}

	/**
	 * The desired state of a widget.
	 */
	public static class WidgetSpec {

		@SerializedName("widgetSize")
		int size;

		public int getSize() {
			return this.size;
		}

	}

}
