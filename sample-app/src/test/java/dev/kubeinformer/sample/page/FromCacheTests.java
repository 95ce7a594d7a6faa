package dev.kubeinformer.sample.page;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests of {@link FromCache}.
 */
class FromCacheTests {

	private final FromCache fromCache = new FromCache();

	@Test
	void whatTheServerSentShouldNotCount() {
		assertThat(this.fromCache.look(0, 0)).isZero();
		assertThat(this.fromCache.look(3, 3)).isZero();
		assertThat(this.fromCache.look(4, 4)).isZero();
		assertThat(this.fromCache.look(4, 4)).isZero();
	}

	@Test
	void resyncShouldCountWhenItIsStillThereAtTheNextLook() {
		this.fromCache.look(3, 3);
		assertThat(this.fromCache.look(8, 3)).isZero();
		assertThat(this.fromCache.look(8, 3)).isEqualTo(5);
		assertThat(this.fromCache.look(8, 3)).isZero();
	}

	@Test
	void eventThatOneSideSawFirstShouldNotCount() {
		this.fromCache.look(0, 0);
		assertThat(this.fromCache.look(1, 0)).isZero();
		assertThat(this.fromCache.look(1, 1)).isZero();
		assertThat(this.fromCache.look(1, 1)).isZero();
	}

	@Test
	void mergedEventsShouldNotHideLaterResyncs() {
		this.fromCache.look(1, 5);
		this.fromCache.look(1, 5);
		this.fromCache.look(3, 5);
		assertThat(this.fromCache.look(3, 5)).isEqualTo(2);
	}

	@Test
	void handlerThatWasStartedAgainShouldCountAnew() {
		this.fromCache.look(100, 100);
		this.fromCache.look(6, 100);
		assertThat(this.fromCache.look(6, 100)).isEqualTo(6);
	}

}
