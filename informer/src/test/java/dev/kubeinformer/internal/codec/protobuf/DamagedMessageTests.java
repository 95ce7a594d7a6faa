package dev.kubeinformer.internal.codec.protobuf;

import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import java.util.Random;

import io.kubernetes.client.common.KubernetesObject;
import io.kubernetes.client.openapi.models.V1CertificateSigningRequest;
import io.kubernetes.client.openapi.models.V1ConfigMap;
import io.kubernetes.client.openapi.models.V1Lease;
import io.kubernetes.client.openapi.models.V1Pod;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import dev.kubeinformer.internal.codec.json.JsonMappers;
import dev.kubeinformer.internal.codec.pool.KnownValues;
import dev.kubeinformer.internal.codec.pool.PartPool;
import dev.kubeinformer.internal.codec.protobuf.PopulatedObjects.Variant;
import dev.kubeinformer.resource.ResourceType;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Bytes that are not what they should be: either they are read, or it is said where they
 * are wrong, and nothing else happens.
 */
@Tag("once")
class DamagedMessageTests {

	private final JsonMappers mappers = new JsonMappers(true);

	private final ProtobufReader reader = new ProtobufReader(this.mappers, new KnownValues(1000),
			new PartPool(PartPool.MOST_BYTES));

	static List<EveryType.Answers> full() throws IOException {
		return EveryType.recorded().stream().filter((answers) -> answers.variant() == Variant.FULL).toList();
	}

	@ParameterizedTest
	@MethodSource("full")
	void everyCutIsSaidOrHarmless(EveryType.Answers answers) {
		byte[] message = answers.message();
		int step = Math.max(1, message.length / 1000);
		for (int length = 0; length < message.length; length += step) {
			decode(answers.type(), Arrays.copyOf(message, length));
		}
	}

	@ParameterizedTest
	@MethodSource("full")
	void everyDamageIsSaidOrHarmless(EveryType.Answers answers) {
		Random random = new Random(answers.type().hashCode());
		byte[] whole = answers.message();
		for (int i = 0; i < 500; i++) {
			byte[] message = whole.clone();
			for (int flips = 1 + random.nextInt(4); flips > 0; flips--) {
				message[random.nextInt(message.length)] ^= (byte) (1 << random.nextInt(8));
			}
			decode(answers.type(), message);
		}
	}

	@Test
	void noiseIsSaidOrHarmless() {
		Random random = new Random(1);
		for (int i = 0; i < 20_000; i++) {
			byte[] message = new byte[random.nextInt(200)];
			random.nextBytes(message);
			decode(ResourceType.of(V1Pod.class), message);
		}
	}

	private void decode(ResourceType<? extends KubernetesObject> type, byte[] message) {
		try {
			EveryType.decode(type, message, this.reader);
		}
		catch (MalformedMessageException ex) {
			assertThat(ex.getMessage()).isNotEmpty().doesNotContain("text-");
		}
	}

	@Test
	void pathLeadsToTheFieldThatIsDamaged() {
		// {spec: {containers: [{}, {name: <cut off>}]}}
		byte[] containers = { 18, 0, 18, 2, 10, 5 };
		assertProblem(V1Pod.class, "the field 'spec.containers[1].name' cannot be read: it is cut off",
				concat(new byte[] { 18, 6 }, containers));
	}

	@Test
	void pathHasNoNameForWhatIsInlineInJson() {
		// {spec: {volumes: [{volumeSource: {emptyDir: {sizeLimit: {string: "x"}}}}]}}
		byte[] quantity = { 10, 1, 'x' };
		byte[] emptyDir = concat(new byte[] { 18, 3 }, quantity);
		byte[] source = concat(new byte[] { 18, 5 }, emptyDir);
		byte[] volume = concat(new byte[] { 18, 7 }, source);
		byte[] spec = concat(new byte[] { 10, 9 }, volume);
		assertProblem(V1Pod.class,
				"the field 'spec.volumes[0].emptyDir.sizeLimit' cannot be read: it is not a quantity",
				concat(new byte[] { 18, 11 }, spec));
	}

	@Test
	void valueOfAMapIsFoundByTheNameOfTheMap() {
		assertProblem(V1ConfigMap.class, "the field 'binaryData' cannot be read: it is cut off",
				new byte[] { 26, 2, 18, 9 });
	}

	@Test
	void listOfAMapIsFoundByTheNameOfTheMap() {
		// {spec: {extra: {"": {items: [<cut off>]}}}}
		assertProblem(V1CertificateSigningRequest.class, "the field 'spec.extra' cannot be read: it is cut off",
				new byte[] { 18, 6, 50, 4, 18, 2, 10, 5 });
	}

	@Test
	void timeThatNoCalendarHasIsSaid() {
		byte[] time = { 8, -1, -1, -1, -1, -1, -1, -1, -1, 127 };
		byte[] spec = concat(new byte[] { 34, 10 }, time);
		assertProblem(V1Lease.class, "the field 'spec.renewTime' cannot be read: it is not a time",
				concat(new byte[] { 18, 12 }, spec));
	}

	@Test
	void numberThatNeverEndsIsSaid() {
		byte[] endless = new byte[20];
		Arrays.fill(endless, (byte) 0x80);
		assertProblem(V1Pod.class, "a number is too long", endless);
	}

	@Test
	void lengthBeyondTheMessageAllocatesNothing() {
		assertProblem(V1ConfigMap.class, "the field 'binaryData' cannot be read: it is cut off",
				new byte[] { 26, -1, -1, -1, -1, 7 });
	}

	@Test
	void groupsAreSkippedUnlessTheyAreNestedTooDeeply() throws MalformedMessageException {
		// Two nested groups with number 15, and the bytes after them.
		byte[] nested = { 123, 123, 8, 1, 124, 124, 18, 4, 10, 0, 18, 0 };
		assertThat(read(V1ConfigMap.class, nested).getData()).containsEntry("", "");
		byte[] deep = new byte[100_000];
		Arrays.fill(deep, (byte) 123);
		assertProblem(V1ConfigMap.class, "it is nested too deeply", deep);
	}

	@Test
	void fieldsThatAreNotTogetherAreReadTogether() throws MalformedMessageException {
		// Finalizers a, generation 1, finalizers b, c, generation 2, finalizers d
		byte[] metadata = { 114, 1, 'a', 56, 1, 114, 1, 'b', 114, 1, 'c', 56, 2, 114, 1, 'd' };
		V1Pod pod = read(V1Pod.class, concat(new byte[] { 10, (byte) metadata.length }, metadata));
		assertThat(pod.getMetadata().getFinalizers()).containsExactly("a", "b", "c", "d");
		assertThat(pod.getMetadata().getGeneration()).isEqualTo(2);
	}

	@Test
	void entriesThatAreNotTogetherAreReadTogether() throws MalformedMessageException {
		// Labels a=b, generation 1, labels c=d, generation 2, labels a=e
		byte[] metadata = { 90, 6, 10, 1, 'a', 18, 1, 'b', 56, 1, 90, 6, 10, 1, 'c', 18, 1, 'd', 56, 2, 90, 6, 10, 1,
				'a', 18, 1, 'e' };
		V1Pod pod = read(V1Pod.class, concat(new byte[] { 10, (byte) metadata.length }, metadata));
		assertThat(pod.getMetadata().getLabels()).containsOnlyKeys("a", "c").containsEntry("a", "e");
	}

	@Test
	void manyFieldsThatAreNotTogetherTakeNoTime() throws MalformedMessageException {
		byte[] metadata = new byte[2_000_000];
		for (int i = 0; i < metadata.length; i += 4) {
			// An empty finalizer, and a generation.
			metadata[i] = 114;
			metadata[i + 2] = 56;
		}
		byte[] pod = concat(new byte[] { 10, (byte) 0x80, (byte) 0x89, 0x7a }, metadata);
		assertThat(read(V1Pod.class, pod).getMetadata().getFinalizers()).hasSize(500_000);
	}

	private <T> void assertProblem(Class<T> modelClass, String problem, byte[] message) {
		assertThatExceptionOfType(MalformedMessageException.class).isThrownBy(() -> read(modelClass, message))
			.withMessage(problem);
	}

	private <T> T read(Class<T> modelClass, byte[] message) throws MalformedMessageException {
		return this.reader.read(MessageDecoders.find(modelClass), message, 0, message.length);
	}

	private static byte[] concat(byte[] first, byte[] second) {
		byte[] both = Arrays.copyOf(first, first.length + second.length);
		System.arraycopy(second, 0, both, first.length, second.length);
		return both;
	}

}
