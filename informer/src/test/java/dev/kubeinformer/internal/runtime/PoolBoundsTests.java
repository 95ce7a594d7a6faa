package dev.kubeinformer.internal.runtime;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import dev.kubeinformer.internal.codec.pool.PoolBudget;

import static org.assertj.core.api.Assertions.assertThat;

class PoolBoundsTests {

	private static final PoolBudget.Share SHARE = PoolBudget.unbounded();

	@Test
	void oneReflectorHasTheWholeBound() {
		assertThat(PoolBounds.share(1, SHARE)).isEqualTo(new PoolBounds(16 * 1024, 4 * 1024 * 1024, SHARE));
	}

	@ParameterizedTest
	@ValueSource(ints = { 2, 3, 7, 31, 32 })
	void allReflectorsOfAnInformerTogetherStayWithinTheBoundOfOne(int reflectors) {
		PoolBounds share = PoolBounds.share(reflectors, SHARE);
		assertThat(reflectors * share.strings()).isBetween(8 * 1024, 16 * 1024);
		assertThat(reflectors * share.partBytes()).isBetween(2 * 1024 * 1024, 4 * 1024 * 1024);
	}

	@ParameterizedTest
	@ValueSource(ints = { 50, 64, 65, 1000, 100_000_000 })
	void manyReflectorsHaveTheLeastThatIsOfUse(int reflectors) {
		assertThat(PoolBounds.share(reflectors, SHARE)).isEqualTo(new PoolBounds(512, 64 * 1024, SHARE));
	}

}
