package dev.kubeinformer.test.internal.storage;

import java.util.concurrent.atomic.AtomicLong;

import org.junit.jupiter.api.Test;
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
		assertThat(this.log.list(second, "").objects()).extracting(PersistedObject::key, PersistedObject::revision)
			.containsExactly(tuple(ANSWER, last + 1));
	}

	@Test
	void changeWhenWrittenShouldHaveTheTimeOfTheClock() {
		AtomicLong clock = new AtomicLong(5);
		RevisionLog dated = new RevisionLog(100, clock::get);
		GroupResource pods = new GroupResource("", "pods");
		Change origin = dated.watchNow(pods, "").position();
		dated.write(pods, KEY, (current, revision) -> PersistedObject.of(pods, KEY, Json.object(), revision));
		clock.set(9);
		dated.delete(pods, KEY);
		Change written = origin.next();
		assertThat(written).isNotNull();
		assertThat(written.time()).isEqualTo(5);
		assertThat(written.next()).isNotNull().extracting(Change::time).isEqualTo(9L);
		assertThat(dated.mark()).isEqualTo(new RevisionLog.Mark(3, 9));
	}

	private void write(GroupResource resource, ObjectKey key) {
		this.log.write(resource, key,
				(current, revision) -> PersistedObject.of(resource, key, Json.object(), revision));
	}

}
