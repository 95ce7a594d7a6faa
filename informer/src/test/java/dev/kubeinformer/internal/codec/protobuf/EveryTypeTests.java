package dev.kubeinformer.internal.codec.protobuf;

import java.io.IOException;
import java.util.List;
import java.util.stream.Collectors;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Objects of every type, as a real API server answered them in JSON and in protobuf.
 *
 * @see EveryTypeClusterTests
 */
class EveryTypeTests {

	static List<EveryType.Answers> recorded() throws IOException {
		return EveryType.recorded();
	}

	@ParameterizedTest
	@MethodSource("recorded")
	void protobufIsDecodedAsJsonIs(EveryType.Answers answers) {
		assertThat(EveryType.differences(answers)).isEmpty();
	}

	@Test
	void everyTypeHasADecoder() {
		assertThat(EveryType.withProtobuf())
			.allSatisfy((type) -> assertThat(MessageDecoders.find(type.objectClass())).isNotNull());
	}

	@Test
	void everyTypeThatAServerCanServeIsRecorded() throws IOException {
		assertThat(recorded().stream().map(EveryType.Answers::type).collect(Collectors.toSet()))
			.containsExactlyInAnyOrderElementsOf(EveryType.withProtobuf());
	}

}
