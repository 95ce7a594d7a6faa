package dev.kubeinformer.internal.dispatch;

import io.kubernetes.client.common.KubernetesObject;
import io.kubernetes.client.openapi.models.V1ObjectMeta;

/**
 * Smallest object that can be delivered.
 *
 * @param name the name
 * @param uid the UID
 * @param version the version
 */
record Note(String name, String uid, String version) implements KubernetesObject {

	@Override
	public V1ObjectMeta getMetadata() {
		return new V1ObjectMeta().namespace("ns").name(this.name).uid(this.uid).resourceVersion(this.version);
	}

	@Override
	public String getApiVersion() {
		return "v1";
	}

	@Override
	public String getKind() {
		return "Note";
	}

	@Override
	public String toString() {
		return this.name + ":" + this.version;
	}

}
