package dev.kubeinformer.test.internal.storage;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import dev.kubeinformer.test.internal.json.Json;
import dev.kubeinformer.test.internal.resource.GroupResource;
import dev.kubeinformer.test.internal.resource.ObjectKey;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

class RevisionLogTests {

	private static final ObjectKey KEY = new ObjectKey("default", "one");

	private static final ObjectKey ANSWER = new ObjectKey("default", "answer");

	private final RevisionLog log = new RevisionLog(100);

	@ParameterizedTest
	@CsvSource({ "pods,configmaps", "configmaps,pods" })
	void deleteAllWhenSomebodyAnswersADeleteShouldComeBeforeTheAnswer(String watched, String written) {
		GroupResource first = new GroupResource("", watched);
		GroupResource second = new GroupResource("", written);
		write(first, KEY);
		write(second, KEY);
		this.log.addListener(first, () -> {
			if (this.log.get(first, KEY) == null && this.log.get(second, ANSWER) == null) {
				write(second, ANSWER);
			}
		});
		long last = this.log.deleteAll((resource, key) -> true);
		assertThat(this.log.list(first, "").objects()).isEmpty();
		assertThat(this.log.list(second, "").objects()).extracting(StoredObject::key, StoredObject::revision)
			.containsExactly(tuple(ANSWER, last + 1));
	}

	private void write(GroupResource resource, ObjectKey key) {
		this.log.write(resource, key, (current, revision) -> StoredObject.of(resource, key, Json.object(), revision));
	}

}
