package dev.kubeinformer.chaos;

import java.util.stream.LongStream;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatNoException;

/**
 * Tests that {@link ChaosClusterTests} would see a heap that grows.
 */
class HeapTests {

	private static final long MIB = 1 << 20;

	@Test
	void growthShouldBeSeenInTheLastThird() {
		Heap heap = new Heap();
		LongStream.of(20, 30, 31, 33, 36, 40, 45).map((each) -> each * MIB).forEach(heap::add);
		assertThatExceptionOfType(AssertionError.class).isThrownBy(heap::isFlat);
	}

	@Test
	void heapThatIsUpAndDownShouldBeFlat() {
		Heap heap = new Heap();
		LongStream.of(20, 30, 31, 38, 36, 30, 33).map((each) -> each * MIB).forEach(heap::add);
		assertThatNoException().isThrownBy(heap::isFlat);
	}

}
