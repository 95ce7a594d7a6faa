package dev.kubeinformer.chaos;

import io.kubernetes.client.common.KubernetesObject;

/**
 * One state of one object: who it is, and in which version.
 *
 * @param uid the UID
 * @param resourceVersion the resourceVersion, a number as every kube-apiserver gives
 */
record Version(String uid, long resourceVersion) {

	static Version of(KubernetesObject object) {
		return new Version(object.getMetadata().getUid(), Long.parseLong(object.getMetadata().getResourceVersion()));
	}

	/**
	 * Key of an object.
	 * @param object the object
	 * @return {@code namespace/name}
	 */
	static String key(KubernetesObject object) {
		return object.getMetadata().getNamespace() + "/" + object.getMetadata().getName();
	}

	@Override
	public String toString() {
		return this.uid.substring(0, 8) + "@" + this.resourceVersion;
	}

}
