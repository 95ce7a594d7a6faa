package dev.kubeinformer.spring;

import io.kubernetes.client.common.KubernetesObject;
import io.kubernetes.client.openapi.models.V1ObjectMeta;
import org.jspecify.annotations.Nullable;

import dev.kubeinformer.resource.KubernetesResource;
import dev.kubeinformer.test.ApiResources;
import dev.kubeinformer.test.EmbeddedKubernetes;

/**
 * Custom resource with a status, which reconcilers of tests reconcile.
 */
@KubernetesResource(group = "example.com", version = "v1", plural = "gears")
public class Gear implements KubernetesObject {

	String apiVersion = "example.com/v1";

	String kind = "Gear";

	V1ObjectMeta metadata = new V1ObjectMeta();

	GearSpec spec = new GearSpec();

	@Nullable GearStatus status;

	public static Gear of(String name, int teeth) {
		Gear gear = new Gear();
		gear.metadata = new V1ObjectMeta().namespace("web").name(name);
		gear.spec.teeth = teeth;
		return gear;
	}

	/**
	 * Serves gears on an API server.
	 * @param kubernetes the server
	 * @return its gears
	 */
	public static ApiResources<Gear> serve(EmbeddedKubernetes kubernetes) {
		kubernetes.serve("example.com", "v1", "gears", "Gear", true);
		return kubernetes.resources(Gear.class, "example.com", "v1", "gears");
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

	public GearSpec getSpec() {
		return this.spec;
	}

	public @Nullable GearStatus getStatus() {
		return this.status;
	}

	public int turns() {
		return (this.status != null) ? this.status.turns : 0;
	}

	public void turn(int turns) {
		GearStatus changed = new GearStatus();
		changed.turns = turns;
		this.status = changed;
	}

	/**
	 * Desired state of a gear.
	 */
	public static class GearSpec {

		int teeth;

		public int getTeeth() {
			return this.teeth;
		}

		public void setTeeth(int teeth) {
			this.teeth = teeth;
		}

	}

	/**
	 * State of a gear.
	 */
	public static class GearStatus {

		int turns;

		public int getTurns() {
			return this.turns;
		}

		public void setTurns(int turns) {
			this.turns = turns;
		}

	}

}
