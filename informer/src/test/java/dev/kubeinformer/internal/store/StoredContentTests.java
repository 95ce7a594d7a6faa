package dev.kubeinformer.internal.store;

import java.util.Map;

import io.kubernetes.client.common.KubernetesObject;
import io.kubernetes.client.openapi.models.V1ConfigMap;
import io.kubernetes.client.openapi.models.V1ObjectMeta;
import io.kubernetes.client.openapi.models.V1Secret;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests which objects of one version count as the same when they are decoded again.
 */
class StoredContentTests {

	@Test
	void secretShouldBeTheSameIfItsBytesAre() {
		assertThat(stored(secret(1)).hasContent(secret(1))).isTrue();
		assertThat(stored(secret(1)).hasContent(secret(2))).isFalse();
		assertThat(stored(secret(1)).hasContent(secret(1).type("Opaque"))).isFalse();
		assertThat(stored(secret(1)).hasContent(new V1Secret().metadata(metadata()))).isFalse();
	}

	@Test
	void configMapShouldBeTheSameIfItsBytesAre() {
		assertThat(stored(configMap(1)).hasContent(configMap(1))).isTrue();
		assertThat(stored(configMap(1)).hasContent(configMap(2))).isFalse();
		assertThat(stored(configMap(1)).hasContent(configMap(1).putDataItem("b", "c"))).isFalse();
	}

	private static <T extends KubernetesObject> StoredObject<T> stored(T object) {
		return new StoredObject<>("shop", "a", "u", "1", object);
	}

	private static V1Secret secret(int value) {
		return new V1Secret().metadata(metadata()).data(Map.of("a", new byte[] { 0, (byte) value }));
	}

	private static V1ConfigMap configMap(int value) {
		return new V1ConfigMap().metadata(metadata()).binaryData(Map.of("a", new byte[] { 0, (byte) value }));
	}

	private static V1ObjectMeta metadata() {
		return new V1ObjectMeta().namespace("shop").name("a").uid("u").resourceVersion("1");
	}

}
