package dev.kubeinformer.internal.codec.protobuf;

import java.io.IOException;
import java.nio.charset.StandardCharsets;

import io.kubernetes.client.openapi.models.AdmissionregistrationV1WebhookClientConfig;
import io.kubernetes.client.openapi.models.V1CertificateSigningRequestSpec;
import io.kubernetes.client.openapi.models.V1ObjectMeta;
import io.kubernetes.client.openapi.models.V1Pod;
import io.kubernetes.client.openapi.models.V1Secret;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

import dev.kubeinformer.internal.codec.json.JsonMappers;
import dev.kubeinformer.internal.codec.pool.KnownValues;
import dev.kubeinformer.internal.codec.pool.PartPool;
import dev.kubeinformer.internal.codec.protobuf.PopulatedObjects.Variant;
import dev.kubeinformer.resource.ResourceType;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Parts of objects that are read from protobuf with a pool of parts, and without one.
 */
class SharedPartsTests {

	private final JsonMappers mappers = new JsonMappers(false);

	@Test
	void equalPartsOfObjectsAreOneInstance() throws IOException {
		ProtobufReader reader = reader(this.mappers, new PartPool(PartPool.MOST_BYTES));
		// spec: {containers: [{name: "a"}]}; of many parts, some would drive out others.
		byte[] message = { 18, 5, 18, 3, 10, 1, 'a' };
		V1Pod one = reader.read(V1PodDecoder.INSTANCE, message, 0, message.length);
		V1Pod other = reader.read(V1PodDecoder.INSTANCE, message, 0, message.length);
		assertThat(one.getSpec().getContainers().get(0).getName()).isEqualTo("a");
		assertThat(other).isNotSameAs(one).isEqualTo(one);
		assertThat(other.getSpec()).isSameAs(one.getSpec());
	}

	@Test
	void withoutPoolPartsAreEachObjectsOwn() throws IOException {
		ProtobufReader reader = reader(this.mappers, null);
		V1Pod one = pod(reader);
		V1Pod other = pod(reader);
		assertThat(other.getSpec()).isNotSameAs(one.getSpec()).isEqualTo(one.getSpec());
		assertThat(other.getSpec().getContainers().get(0)).isNotSameAs(one.getSpec().getContainers().get(0));
	}

	@Test
	void partsThatAreToBeChangedAreEachObjectsOwn() throws IOException {
		ProtobufReader reader = reader(this.mappers.modifiable(), new PartPool(PartPool.MOST_BYTES));
		V1Pod one = pod(reader);
		V1Pod other = pod(reader);
		one.getSpec().getContainers().clear();
		one.getMetadata().getLabels().put("changed", "yes");
		assertThat(other.getSpec().getContainers()).isNotEmpty();
		assertThat(other.getMetadata().getLabels()).doesNotContainKey("changed");
	}

	@Test
	void partsThatRepeatAreFoundAmongManyThatDoNot() throws MalformedMessageException {
		ProtobufReader reader = reader(this.mappers, new PartPool(PartPool.MOST_BYTES));
		int same = 0;
		V1ObjectMeta before = null;
		for (int i = 0; i < 100_000; i++) {
			// Every second one is one of ten; the others fill the pool many times.
			String name = (i % 2 == 0) ? "pod-" + i / 2 % 10 : "an-application-of-its-own-" + i;
			V1ObjectMeta metadata = read(reader, name).getMetadata();
			assertThat(metadata.getName()).isEqualTo(name);
			if (name.equals("pod-0")) {
				same += (metadata == before) ? 1 : 0;
				before = metadata;
			}
		}
		assertThat(same).isGreaterThan(4900);
	}

	@Test
	void arraysAreEachObjectsOwn() throws MalformedMessageException {
		ProtobufReader reader = reader(this.mappers, new PartPool(PartPool.MOST_BYTES));
		// data: {"k": "v"}
		byte[] message = { 18, 6, 10, 1, 'k', 18, 1, 'v' };
		V1Secret one = reader.read(V1SecretDecoder.INSTANCE, message, 0, message.length);
		V1Secret other = reader.read(V1SecretDecoder.INSTANCE, message, 0, message.length);
		assertThat(other.getData().get("k")).containsExactly('v').isNotSameAs(one.getData().get("k"));
	}

	@Test
	void arraysInsideOfPartsAreEachObjectsOwn() throws MalformedMessageException {
		ProtobufReader reader = reader(this.mappers, new PartPool(PartPool.MOST_BYTES));
		// spec: {request: "v", signerName: "s"}
		byte[] request = { 18, 6, 10, 1, 'v', 58, 1, 's' };
		// webhooks: [{clientConfig: {service: {name: "n"}, caBundle: "v"}}]
		byte[] webhook = { 18, 10, 18, 8, 10, 3, 18, 1, 'n', 18, 1, 'v' };
		V1CertificateSigningRequestSpec one = reader
			.read(V1CertificateSigningRequestDecoder.INSTANCE, request, 0, request.length)
			.getSpec();
		V1CertificateSigningRequestSpec other = reader
			.read(V1CertificateSigningRequestDecoder.INSTANCE, request, 0, request.length)
			.getSpec();
		assertThat(other.getRequest()).containsExactly('v').isNotSameAs(one.getRequest());
		AdmissionregistrationV1WebhookClientConfig first = client(reader, webhook);
		AdmissionregistrationV1WebhookClientConfig second = client(reader, webhook);
		assertThat(second.getCaBundle()).containsExactly('v').isNotSameAs(first.getCaBundle());
		// Parts without arrays are shared.
		assertThat(second.getService().getName()).isEqualTo("n");
		assertThat(second.getService()).isSameAs(first.getService());
	}

	private static AdmissionregistrationV1WebhookClientConfig client(ProtobufReader reader, byte[] message)
			throws MalformedMessageException {
		return reader.read(V1MutatingWebhookConfigurationDecoder.INSTANCE, message, 0, message.length)
			.getWebhooks()
			.get(0)
			.getClientConfig();
	}

	@Test
	void equalBytesOfDifferentKindsAreDifferentParts() throws MalformedMessageException {
		ProtobufReader reader = reader(this.mappers, new PartPool(PartPool.MOST_BYTES));
		// metadata, spec and status: {3: ""}
		byte[] message = { 10, 2, 26, 0, 18, 2, 26, 0, 26, 2, 26, 0 };
		for (int i = 0; i < 3; i++) {
			V1Pod pod = reader.read(V1PodDecoder.INSTANCE, message, 0, message.length);
			assertThat(pod.getSpec()).isNotNull();
			assertThat(pod.getStatus()).isNotNull();
		}
	}

	private static ProtobufReader reader(JsonMappers mappers, @Nullable PartPool parts) {
		return new ProtobufReader(mappers, new KnownValues(1000), parts);
	}

	private static V1Pod pod(ProtobufReader reader) throws IOException {
		byte[] message = EveryType.recorded()
			.stream()
			.filter((answers) -> answers.type().equals(ResourceType.of(V1Pod.class))
					&& answers.variant() == Variant.FULL)
			.findFirst()
			.orElseThrow()
			.message();
		return reader.read(V1PodDecoder.INSTANCE, message, 0, message.length);
	}

	private static V1Pod read(ProtobufReader reader, String name) throws MalformedMessageException {
		byte[] text = name.getBytes(StandardCharsets.US_ASCII);
		byte[] message = new byte[text.length + 4];
		message[0] = 10;
		message[1] = (byte) (text.length + 2);
		message[2] = 10;
		message[3] = (byte) text.length;
		System.arraycopy(text, 0, message, 4, text.length);
		return reader.read(V1PodDecoder.INSTANCE, message, 0, message.length);
	}

}
