package dev.kubeinformer.internal.http;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;

import org.junit.jupiter.api.Test;

import dev.kubeinformer.internal.failure.FloodedWatchException;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

class FillerTests {

	private final AtomicLong clock = new AtomicLong();

	private final Filler filler = new Filler(this.clock::get);

	private void bookmarks(int count) throws FloodedWatchException {
		for (int i = 0; i < count; i++) {
			this.filler.bookmark();
		}
	}

	@Test
	void tooManyInShortTimeAreAFlood() throws FloodedWatchException {
		bookmarks(Filler.MOST);
		assertThatExceptionOfType(FloodedWatchException.class).isThrownBy(() -> this.filler.blankLine(0));
	}

	@Test
	void tooManyBytesInShortTimeAreAFlood() throws FloodedWatchException {
		this.filler.blankLine(Filler.MOST_BYTES);
		assertThatExceptionOfType(FloodedWatchException.class).isThrownBy(() -> this.filler.blankLine(1))
			.withMessage("the watch sent nothing but blank lines, more than any API server sends");
	}

	@Test
	void eventInBetweenShowsThatItIsNone() throws FloodedWatchException {
		bookmarks(Filler.MOST);
		this.filler.event();
		bookmarks(Filler.MOST);
		this.filler.event();
		this.filler.blankLine(Filler.MOST_BYTES);
		this.filler.event();
		assertThatCode(() -> this.filler.blankLine(Filler.MOST_BYTES)).doesNotThrowAnyException();
	}

	@Test
	void asManyInLongTimeAreNone() throws FloodedWatchException {
		for (int i = 0; i < 5; i++) {
			bookmarks(Filler.MOST);
			this.clock.addAndGet(Duration.ofSeconds(11).toNanos());
		}
		bookmarks(1);
		assertThatExceptionOfType(FloodedWatchException.class).isThrownBy(() -> bookmarks(2 * Filler.MOST + 1));
	}

}
