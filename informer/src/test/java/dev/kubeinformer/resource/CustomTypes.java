package dev.kubeinformer.resource;

import io.kubernetes.client.common.KubernetesObject;

/**
 * Custom resources of which only a test knows where they are.
 */
public final class CustomTypes {

	private CustomTypes() {
	}

	/**
	 * The custom resource of a class, in another group than its annotation says.
	 * @param <T> the model class
	 * @param objectClass the model class
	 * @param group the group
	 * @return the resource type
	 */
	public static <T extends KubernetesObject> ResourceType<T> inGroup(Class<T> objectClass, String group) {
		ResourceType<T> type = ResourceType.of(objectClass);
		return new ResourceType<>(group, type.version(), type.plural(), type.kind(), type.namespaced(), objectClass);
	}

}
