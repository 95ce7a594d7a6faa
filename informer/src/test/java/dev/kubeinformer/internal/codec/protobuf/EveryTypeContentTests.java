package dev.kubeinformer.internal.codec.protobuf;

import java.io.IOException;
import java.util.List;

import io.kubernetes.client.common.KubernetesObject;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import dev.kubeinformer.internal.codec.json.JsonMappers;
import dev.kubeinformer.internal.codec.json.ModelJson;
import dev.kubeinformer.internal.codec.model.ModelContent;
import dev.kubeinformer.internal.codec.pool.KnownValues;
import dev.kubeinformer.resource.ResourceType;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Checks that the JSON answer to a write has the same content as the object that a cache
 * decodes from protobuf; otherwise each apply would be repeated forever.
 */
class EveryTypeContentTests {

	private final JsonMappers mappers = new JsonMappers(false);

	static List<EveryType.Answers> recorded() throws IOException {
		return EveryType.recorded();
	}

	@ParameterizedTest
	@MethodSource("recorded")
	void answerInJsonHasTheContentOfTheOneInProtobuf(EveryType.Answers answers) throws Exception {
		assertSameContent(answers.type(), answers);
	}

	private <T extends KubernetesObject> void assertSameContent(ResourceType<T> type, EveryType.Answers answers)
			throws Exception {
		T returned = new ModelJson(this.mappers).read(type, answers.json());
		T cached = EveryType.decode(type, answers.message(),
				new ProtobufReader(this.mappers, new KnownValues(1000), null));
		assertThat(ModelContent.sameApartFromStatus(cached, returned)).isTrue();
		assertThat(ModelContent.hash(cached)).isEqualTo(ModelContent.hash(returned));
	}

}
