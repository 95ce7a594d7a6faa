package dev.kubeinformer.benchmark.compare.server;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

import io.kubernetes.client.proto.Meta.ObjectMeta;
import io.kubernetes.client.proto.Meta.WatchEvent;
import io.kubernetes.client.proto.Runtime.Unknown;
import io.kubernetes.client.proto.V1;
import io.kubernetes.client.proto.V1.Pod;
import io.kubernetes.client.proto.V1.PodList;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

/**
 * Tests for {@link Encoding}, {@link EncodedPod} and {@link ReplayedPods}. What is
 * written in protobuf is read by the messages that Google's compiler generated.
 */
class EncodingTests {

	private static final Pod POD = Pod.newBuilder()
		.setMetadata(ObjectMeta.newBuilder()
			.setName("one")
			.setNamespace("default")
			.setResourceVersion("42")
			.putLabels("app", "web")
			.putAnnotations("team", "blue")
			.putAnnotations("bench/t", "123")
			.setGenerateName("o"))
		.setSpec(V1.PodSpec.newBuilder().setNodeName("node-1"))
		.build();

	private static final String JSON = """
			{"metadata":{"name":"one","namespace":"default","resourceVersion":"42"},"spec":{"nodeName":"node-1"}}""";

	private final Output output = new Output();

	@Test
	void preparedProtobufShouldDifferInVersionAndStampOnly() throws Exception {
		Pod prepared = Pod.parseFrom(Encoding.PROTOBUF.prepare(POD.toByteArray()));
		Pod.Builder expected = POD.toBuilder();
		expected.getMetadataBuilder()
			.setResourceVersion(EncodedPod.VERSION)
			.putAnnotations(EncodedPod.STAMP_KEY, EncodedPod.STAMP);
		assertThat(prepared).isEqualTo(expected.build());
		Pod bare = Pod.newBuilder().setMetadata(ObjectMeta.newBuilder().setName("n").setResourceVersion("1")).build();
		assertThat(Pod.parseFrom(Encoding.PROTOBUF.prepare(bare.toByteArray())).getMetadata().getAnnotationsMap())
			.containsOnlyKeys(EncodedPod.STAMP_KEY);
	}

	@Test
	void preparedJsonShouldHaveVersionStampAndKind() {
		JsonNode pod = read(Encoding.JSON.prepare(JSON.getBytes(StandardCharsets.UTF_8)));
		assertThat(pod.at("/metadata/resourceVersion").asString()).isEqualTo(EncodedPod.VERSION);
		assertThat(pod.at("/metadata/annotations").get("bench/t").asString()).isEqualTo(EncodedPod.STAMP);
		assertThat(pod.get("kind").asString()).isEqualTo("Pod");
		assertThat(pod.at("/spec/nodeName").asString()).isEqualTo("node-1");
	}

	@Test
	void changeShouldWriteVersionAndTimeIntoListsAndEventsOfBothEncodings() throws Exception {
		ReplayedPods pods = pods();
		pods.change(1_234_567_890_123L, Encoding.PROTOBUF, this.output);
		Pod changed = event(this.output.take(), "MODIFIED");
		assertThat(changed.getMetadata().getResourceVersion()).isEqualTo(pods.version())
			.isEqualTo(Long.toString(Long.parseLong(EncodedPod.VERSION) + 1));
		assertThat(Long.parseLong(changed.getMetadata().getAnnotationsOrThrow("bench/t")))
			.isEqualTo(1_234_567_890_123L);
		Encoding.JSON.list(this.output, pods.version(), "", pods.range(Encoding.JSON, 0, 1));
		JsonNode list = read(this.output.take());
		assertThat(list.at("/metadata/resourceVersion").asString()).isEqualTo(pods.version());
		assertThat(list.at("/items/0/metadata/resourceVersion").asString()).isEqualTo(pods.version());
		pods.change(5, Encoding.JSON, this.output);
		JsonNode event = read(this.output.take());
		assertThat(event.get("type").asString()).isEqualTo("MODIFIED");
		assertThat(event.at("/object/metadata/annotations").get("bench/t").asLong()).isEqualTo(5);
	}

	@Test
	void protobufListShouldBeInItsEnvelope() throws Exception {
		List<byte[]> two = List.of(POD.toByteArray(), POD.toBuilder().clearSpec().build().toByteArray());
		Encoding.PROTOBUF.list(this.output, "7", "next", two);
		Unknown envelope = envelope(this.output.take());
		assertThat(envelope.getTypeMeta().getKind()).isEqualTo("PodList");
		PodList list = PodList.parseFrom(envelope.getRaw());
		assertThat(list.getMetadata().getResourceVersion()).isEqualTo("7");
		assertThat(list.getMetadata().getContinue()).isEqualTo("next");
		assertThat(list.getItemsList()).containsExactly(POD, POD.toBuilder().clearSpec().build());
	}

	@Test
	void bookmarkShouldEndTheInitialEvents() throws Exception {
		Encoding.PROTOBUF.event(this.output, "BOOKMARK", Encoding.PROTOBUF.bookmark("9"));
		ObjectMeta metadata = event(this.output.take(), "BOOKMARK").getMetadata();
		assertThat(metadata.getResourceVersion()).isEqualTo("9");
		assertThat(metadata.getAnnotationsMap()).containsExactly(Map.entry("k8s.io/initial-events-end", "true"));
		JsonNode json = read(Encoding.JSON.bookmark("9"));
		assertThat(json.at("/metadata/annotations").get("k8s.io/initial-events-end").asString()).isEqualTo("true");
	}

	@Test
	void versionsBeforeTheExpiryShouldBeTooOld() {
		ReplayedPods pods = pods();
		String before = pods.version();
		assertThat(pods.isExpired(before)).isFalse();
		pods.expire();
		assertThat(pods.isExpired(before)).isTrue();
		assertThat(pods.isExpired(pods.version())).isFalse();
		assertThat(pods.isExpired("0")).isFalse();
	}

	@Test
	void encodingsOfDifferentPodsShouldBeRefused() {
		byte[] json = Encoding.JSON.prepare(JSON.getBytes(StandardCharsets.UTF_8));
		assertThatIllegalArgumentException()
			.isThrownBy(() -> new ReplayedPods(Map.of(Encoding.JSON, List.of(json), Encoding.PROTOBUF, List.of())))
			.withMessageContaining("1 pods in JSON, but 0");
		assertThatIllegalArgumentException().isThrownBy(() -> new EncodedPod(JSON.getBytes(StandardCharsets.UTF_8)));
	}

	@Test
	void embeddedPodsShouldBeDiverseIfAsked() {
		BenchmarkPods uniform = new BenchmarkPods(false);
		BenchmarkPods diverse = new BenchmarkPods(true);
		assertThat(uniform.pod(0).getSpec().getContainers()).isEqualTo(uniform.pod(20).getSpec().getContainers());
		assertThat(diverse.pod(0).getSpec().getContainers()).isNotEqualTo(diverse.pod(20).getSpec().getContainers());
		assertThat(diverse.pod(1).getSpec().getVolumes()).isEqualTo(diverse.pod(2).getSpec().getVolumes());
	}

	private static ReplayedPods pods() {
		List<byte[]> json = new ArrayList<>(List.of(Encoding.JSON.prepare(JSON.getBytes(StandardCharsets.UTF_8))));
		List<byte[]> protobuf = List.of(Encoding.PROTOBUF.prepare(POD.toByteArray()));
		return new ReplayedPods(Map.of(Encoding.JSON, json, Encoding.PROTOBUF, protobuf));
	}

	private static JsonNode read(byte[] json) {
		return JsonMapper.shared().readTree(json);
	}

	private static Pod event(byte[] frame, String type) throws Exception {
		ByteBuffer bytes = ByteBuffer.wrap(frame);
		assertThat(bytes.getInt()).isEqualTo(bytes.remaining());
		WatchEvent event = WatchEvent.parseFrom(bytes);
		assertThat(event.getType()).isEqualTo(type);
		Unknown envelope = envelope(event.getObject().getRaw().toByteArray());
		assertThat(envelope.getTypeMeta().getKind()).isEqualTo("Pod");
		return Pod.parseFrom(envelope.getRaw());
	}

	private static Unknown envelope(byte[] bytes) throws Exception {
		assertThat(bytes).startsWith('k', '8', 's', 0);
		return Unknown.parseFrom(ByteBuffer.wrap(bytes, 4, bytes.length - 4));
	}

	private static final class Output implements Encoding.Sink {

		private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();

		@Override
		public void bytes(byte[] more) {
			this.bytes.writeBytes(more);
		}

		byte[] take() {
			byte[] all = this.bytes.toByteArray();
			this.bytes.reset();
			return all;
		}

	}

}
