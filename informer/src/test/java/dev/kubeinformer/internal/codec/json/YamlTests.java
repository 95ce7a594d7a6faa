package dev.kubeinformer.internal.codec.json;

import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;

import io.kubernetes.client.common.KubernetesObject;
import io.kubernetes.client.openapi.JSON;
import io.kubernetes.client.openapi.models.V1EndpointAddress;
import io.kubernetes.client.openapi.models.V1EndpointSubset;
import io.kubernetes.client.openapi.models.V1Endpoints;
import io.kubernetes.client.openapi.models.V1ObjectMeta;
import io.kubernetes.client.util.Yaml;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import dev.kubeinformer.Informers;
import dev.kubeinformer.internal.codec.DecodedObject;
import dev.kubeinformer.internal.codec.model.FilledModels;
import dev.kubeinformer.resource.ResourceType;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Cached objects share their empty collections, among other things, and YAML has a way to
 * say that which its readers refuse. A copy shares nothing.
 */
class YamlTests {

	@Test
	void copyOfACachedObjectIsWrittenWithoutAliases() throws Exception {
		List<V1EndpointAddress> addresses = new ArrayList<>();
		for (int i = 0; i < 60; i++) {
			addresses.add(new V1EndpointAddress().ip("10.0.0." + i));
		}
		V1Endpoints endpoints = new V1Endpoints().apiVersion("v1")
			.kind("Endpoints")
			.metadata(new V1ObjectMeta().name("web"));
		for (int i = 0; i < 60; i++) {
			endpoints.addSubsetsItem(new V1EndpointSubset().addAddressesItem(addresses.get(i)));
		}
		assertWritten(decoded(ResourceType.of(V1Endpoints.class), endpoints));
	}

	@ParameterizedTest
	@MethodSource("builtIn")
	<T extends KubernetesObject> void copyOfABuiltInTypeIsWrittenWithoutAliases(ResourceType<T> type) throws Exception {
		assertWritten(decoded(type, FilledModels.filled(type.objectClass(), Set.of())));
	}

	static Stream<ResourceType<?>> builtIn() {
		return ResourceType.builtIn().stream();
	}

	private static <T extends KubernetesObject> void assertWritten(T cached) throws Exception {
		String yaml = Yaml.dump(Informers.copyOf(cached));
		assertThat(yaml).doesNotContainPattern("(?m)[:-] [&*]\\w+");
		assertThat(JSON.serialize(Yaml.loadAs(yaml, cached.getClass()))).isEqualTo(JSON.serialize(cached));
	}

	private static <T extends KubernetesObject> T decoded(ResourceType<T> type, T object) throws Exception {
		List<DecodedObject<T>> items = new ArrayList<>();
		String list = "{\"kind\":\"%sList\",\"items\":[%s]}".formatted(type.kind(), JSON.serialize(object));
		new JsonCodec<>(type, new JsonMappers(false))
			.readList(new ByteArrayInputStream(list.getBytes(StandardCharsets.UTF_8)), items::add);
		assertThat(items.get(0).problem()).isNull();
		return items.get(0).object();
	}

}
