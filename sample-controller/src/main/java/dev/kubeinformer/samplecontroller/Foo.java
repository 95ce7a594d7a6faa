package dev.kubeinformer.samplecontroller;

import io.kubernetes.client.common.KubernetesObject;
import io.kubernetes.client.openapi.models.V1ObjectMeta;
import jakarta.validation.constraints.Max;
import jakarta.validation.constraints.Min;
import jakarta.validation.constraints.NotBlank;
import org.jspecify.annotations.Nullable;

import dev.kubeinformer.definition.PrinterColumn;
import dev.kubeinformer.resource.KubernetesResource;

/**
 * Custom resource that requests a Deployment with a name and a number of replicas.
 */
@KubernetesResource(group = "samplecontroller.example.com", version = "v1alpha1", plural = "foos")
@PrinterColumn(name = "Age", type = "date", jsonPath = ".metadata.creationTimestamp")
public class Foo implements KubernetesObject {

	private String apiVersion = "samplecontroller.example.com/v1alpha1";

	private String kind = "Foo";

	private V1ObjectMeta metadata = new V1ObjectMeta();

	private FooSpec spec = new FooSpec();

	private @Nullable FooStatus status;

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

	/**
	 * Returns the desired state.
	 * @return the spec
	 */
	public FooSpec getSpec() {
		return this.spec;
	}

	/**
	 * Returns the observed state.
	 * @return the status; {@code null} before there is one
	 */
	public @Nullable FooStatus getStatus() {
		return this.status;
	}

	/**
	 * Sets the observed state.
	 * @param status the status
	 */
	public void setStatus(@Nullable FooStatus status) {
		this.status = status;
	}

	/**
	 * Desired state of a {@link Foo}.
	 */
	public static class FooSpec {

		@NotBlank
		@SuppressWarnings("NullAway.Init")
		private String deploymentName;

		@Min(0)
		@Max(10)
		private int replicas;

		/**
		 * Returns the name of the Deployment.
		 * @return the name
		 */
		public String getDeploymentName() {
			return this.deploymentName;
		}

		/**
		 * Sets the name of the Deployment.
		 * @param deploymentName the name
		 */
		public void setDeploymentName(String deploymentName) {
			this.deploymentName = deploymentName;
		}

		/**
		 * Returns the number of replicas.
		 * @return the number
		 */
		public int getReplicas() {
			return this.replicas;
		}

		/**
		 * Sets the number of replicas.
		 * @param replicas the number
		 */
		public void setReplicas(int replicas) {
			this.replicas = replicas;
		}

	}

	/**
	 * Observed state of a {@link Foo}.
	 */
	public static class FooStatus {

		@PrinterColumn(name = "Available")
		private int availableReplicas;

		/**
		 * Returns the number of replicas that are available.
		 * @return the number
		 */
		public int getAvailableReplicas() {
			return this.availableReplicas;
		}

		/**
		 * Sets the number of replicas that are available.
		 * @param availableReplicas the number
		 */
		public void setAvailableReplicas(int availableReplicas) {
			this.availableReplicas = availableReplicas;
		}

	}

}
