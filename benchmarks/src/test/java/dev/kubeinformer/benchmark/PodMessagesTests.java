package dev.kubeinformer.benchmark;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

import io.kubernetes.client.openapi.models.V1Pod;
import org.junit.jupiter.api.Test;

import dev.kubeinformer.internal.codec.ResourceCodec;
import dev.kubeinformer.internal.codec.json.JsonCodec;
import dev.kubeinformer.internal.codec.json.JsonMappers;
import dev.kubeinformer.resource.ResourceType;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link PodMessages}.
 */
class PodMessagesTests {

	@Test
	void podsShouldBeThoseOfJson() throws IOException {
		ByteArrayOutputStream json = new ByteArrayOutputStream();
		PodList.write(30, json);
		List<V1Pod> expected = pods(new JsonCodec<>(ResourceType.of(V1Pod.class), new JsonMappers(true)),
				json.toByteArray());
		assertThat(pods(ProtobufDecodeBenchmark.codec(true, true), PodMessages.list(30))).hasSize(30)
			.doesNotContainNull()
			.isEqualTo(expected);
		assertThat(ProtobufDecodeBenchmark.codec(true, false).readEvent(PodMessages.event(7)).object().object())
			.isEqualTo(expected.get(7));
	}

	private static List<V1Pod> pods(ResourceCodec<V1Pod> codec, byte[] body) throws IOException {
		List<V1Pod> pods = new ArrayList<>();
		codec.readList(new ByteArrayInputStream(body), (item) -> pods.add(item.object()));
		return pods;
	}

}
