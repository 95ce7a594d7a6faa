package dev.kubeinformer.spring;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.function.BiConsumer;

import com.google.protobuf.ByteString;
import io.kubernetes.client.informer.cache.Lister;
import io.kubernetes.client.openapi.models.V1Container;
import io.kubernetes.client.openapi.models.V1Pod;
import io.kubernetes.client.proto.Meta;
import io.kubernetes.client.proto.Runtime;
import io.kubernetes.client.proto.V1;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;

import dev.kubeinformer.Informers;
import dev.kubeinformer.test.RecordedRequest;
import dev.kubeinformer.test.ScriptedApiServer;
import dev.kubeinformer.test.ScriptedReply;
import dev.kubeinformer.types.WireEncoding;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests of what the configuration says about protobuf, with an API server that answers in
 * the encoding that is preferred.
 */
class ProtobufSettingsTests {

	private static final String PROTOBUF = "application/vnd.kubernetes.protobuf";

	private static final String JSON = "{\"kind\":\"PodList\",\"apiVersion\":\"v1\",\"metadata\":{\"resourceVersion\":\"41\"},\"items\":[%s,%s]}";

	private static final String POD = "{\"metadata\":{\"namespace\":\"blog\",\"name\":\"%1$s\",\"uid\":\"%1$s\",\"resourceVersion\":\"7\"},\"spec\":{\"containers\":[{\"name\":\"app\",\"image\":\"app:1\"}]}}";

	private final ScriptedApiServer server = ScriptedApiServer.start();

	private final ApplicationContextRunner runner = InformerContextRunner.withoutCluster()
		.withPropertyValues("kubernetes.client.url=" + this.server.url(), "kubernetes.informers.watch.list=paged",
				"kubernetes.informers.startup.wait-for-sync=true")
		.withBean(Reader.class);

	@BeforeEach
	void answer() {
		this.server.onEvery((request) -> request.isList() && prefersProtobuf(request),
				(reply) -> reply.header("Content-Type", PROTOBUF).body(200, pods("a", "b")));
		this.server.onEvery(RecordedRequest::isList,
				(reply) -> reply.json(200, JSON.formatted(POD.formatted("a"), POD.formatted("b"))));
		this.server.onEvery((request) -> request.isWatch() && prefersProtobuf(request),
				(reply) -> reply.header("Content-Type", PROTOBUF + ";stream=watch").hold());
		this.server.onEvery(RecordedRequest::isWatch, ScriptedReply::hold);
	}

	@AfterEach
	void close() {
		this.server.close();
	}

	@Test
	void equalPartsShouldBeOneInstanceByDefault() {
		read(WireEncoding.PROTOBUF, (one, other) -> assertThat(one).isEqualTo(other).isSameAs(other));
	}

	@Test
	void equalPartsShouldBeOneInstanceWhereTheResourceSaysSo() {
		read(WireEncoding.PROTOBUF, (one, other) -> assertThat(one).isSameAs(other),
				"kubernetes.informers.resources.pods.share-equal-parts=true");
	}

	@Test
	void equalPartsShouldBeInstancesOfTheirOwnWhereTheResourceSaysSo() {
		read(WireEncoding.PROTOBUF, (one, other) -> assertThat(one).isEqualTo(other).isNotSameAs(other),
				"kubernetes.informers.resources.pods.share-equal-parts=false");
	}

	@Test
	void otherResourcesShouldNotMatter() {
		read(WireEncoding.PROTOBUF, (one, other) -> assertThat(one).isSameAs(other),
				"kubernetes.informers.resources.nodes.share-equal-parts=false");
	}

	@ParameterizedTest
	@ValueSource(strings = { "off", "false" })
	void onlyJsonShouldBeAskedForWhereProtobufIsOff(String off) {
		read(WireEncoding.JSON, (one, other) -> assertThat(one).isEqualTo(other), "kubernetes.client.protobuf=" + off);
		assertThat(this.server.requests()).isNotEmpty()
			.extracting((request) -> String.valueOf(request.header("Accept")))
			.allMatch((accept) -> accept.startsWith("application/json") && !accept.contains("protobuf"));
	}

	@Test
	void protobufShouldBeAskedForFirstByDefault() {
		read(WireEncoding.PROTOBUF, (one, other) -> assertThat(one).isEqualTo(other),
				"kubernetes.client.protobuf=auto");
		assertThat(this.server.requests()).isNotEmpty().allMatch(ProtobufSettingsTests::prefersProtobuf);
	}

	private void read(WireEncoding encoding, BiConsumer<V1Container, V1Container> containers, String... properties) {
		this.runner.withPropertyValues(properties).run((context) -> {
			assertThat(context).hasNotFailed();
			assertThat(context.getBean(Informers.class).informer(V1Pod.class).status().encoding()).isEqualTo(encoding);
			List<V1Pod> pods = context.getBean(Reader.class).pods.list();
			assertThat(pods).extracting((pod) -> pod.getMetadata().getName()).containsExactlyInAnyOrder("a", "b");
			containers.accept(container(pods.get(0)), container(pods.get(1)));
			assertThat(container(pods.get(0)).getImage()).isEqualTo("app:1");
		});
	}

	private static V1Container container(V1Pod pod) {
		return pod.getSpec().getContainers().get(0);
	}

	private static boolean prefersProtobuf(RecordedRequest request) {
		return String.valueOf(request.header("Accept")).startsWith(PROTOBUF);
	}

	private static byte[] pods(String... names) {
		V1.PodList.Builder list = V1.PodList.newBuilder()
			.setMetadata(Meta.ListMeta.newBuilder().setResourceVersion("41"));
		for (String name : names) {
			list.addItems(V1.Pod.newBuilder()
				.setMetadata(Meta.ObjectMeta.newBuilder()
					.setNamespace("blog")
					.setName(name)
					.setUid(name)
					.setResourceVersion("7"))
				.setSpec(V1.PodSpec.newBuilder()
					.addContainers(V1.Container.newBuilder().setName("app").setImage("app:1"))));
		}
		ByteString raw = list.build().toByteString();
		ByteArrayOutputStream body = new ByteArrayOutputStream();
		body.writeBytes("k8s\0".getBytes(StandardCharsets.US_ASCII));
		body.writeBytes(Runtime.Unknown.newBuilder()
			.setTypeMeta(Runtime.TypeMeta.newBuilder().setApiVersion("v1").setKind("PodList"))
			.setRaw(raw)
			.build()
			.toByteArray());
		return body.toByteArray();
	}

	static class Reader {

		private final Lister<V1Pod> pods;

		Reader(Lister<V1Pod> pods) {
			this.pods = pods;
		}

	}

}
