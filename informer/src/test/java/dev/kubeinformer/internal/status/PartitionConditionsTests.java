package dev.kubeinformer.internal.status;

import java.util.Set;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests of {@link PartitionConditions}.
 */
class PartitionConditionsTests {

	private final PartitionConditions conditions = new PartitionConditions();

	@Test
	void nothingShouldBeKeptOfNamespacesThatAreGone() {
		this.conditions.started(Set.of("stays"));
		this.conditions.watched("stays");
		int before = this.conditions.size();
		for (int i = 0; i < 100; i++) {
			String namespace = "tenant-" + i;
			this.conditions.add(namespace, true);
			this.conditions.watched(namespace);
			assertThat(this.conditions.remove(namespace)).isTrue();
		}
		assertThat(this.conditions.size()).isEqualTo(before);
		assertThat(this.conditions.isEachWatched()).isTrue();
	}

}
