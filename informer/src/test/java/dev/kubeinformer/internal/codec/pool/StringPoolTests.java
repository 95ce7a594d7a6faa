package dev.kubeinformer.internal.codec.pool;

import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Random;
import java.util.concurrent.atomic.AtomicInteger;

import com.sun.management.ThreadMXBean;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

class StringPoolTests {

	private final StringPool pool = new StringPool(1024, PoolBudget.unbounded(), () -> 0);

	@ParameterizedTest
	@ValueSource(strings = { "a", "app.kubernetes.io/name", "\u0000", "caf\u00e9", "\u4e16\u754c", "\ud83d\ude00 smile",
			"\u07ff\u0800\uffff" })
	void equalStringsAreOne(String text) {
		byte[] bytes = ("<" + text + ">").getBytes(StandardCharsets.UTF_8);
		String first = this.pool.get(bytes, 1, bytes.length - 1);
		assertThat(first).isEqualTo(text);
		assertThat(this.pool.get(bytes, 1, bytes.length - 1)).isSameAs(first);
		StringPool chars = new StringPool(1024, PoolBudget.unbounded(), () -> 0);
		char[] characters = ("<" + text + ">").toCharArray();
		String second = chars.get(characters, 1, text.length());
		assertThat(second).isEqualTo(text);
		assertThat(chars.get(characters, 1, text.length())).isSameAs(second);
		assertThat(chars.get(new String(text.toCharArray()))).isSameAs(second);
	}

	@Test
	void asciiIsTheSameFromBytesAndCharactersAndStrings() {
		String known = this.pool.get("Running".getBytes(StandardCharsets.UTF_8), 0, 7);
		assertThat(this.pool.get("Running".toCharArray(), 0, 7)).isSameAs(known);
		assertThat(this.pool.get(new String("Running"))).isSameAs(known);
	}

	@Test
	void stringThatIsGivenIsRemembered() {
		String given = new String("given");
		assertThat(this.pool.get(given)).isSameAs(given);
		assertThat(this.pool.get(new String("given"))).isSameAs(given);
	}

	@Test
	void anyBytesAreReadAsTheJdkReadsThem() {
		Random random = new Random(8);
		byte[] bytes = new byte[200];
		int[][] alphabets = { { 'a', 'b' }, { 'a', 0xc3, 0xa9, 0x80 }, { 0xed, 0xa0, 0x80, 0xbf, 0xef },
				{ 0xf0, 0x9f, 0x98, 0x80, 'a', 0xe4, 0xb8, 0x96 } };
		for (int round = 0; round < 200_000; round++) {
			int[] alphabet = alphabets[random.nextInt(alphabets.length)];
			int from = random.nextInt(10);
			int to = from + random.nextInt((round % 100 != 0) ? 5 : 180);
			for (int i = from; i < to; i++) {
				bytes[i] = (byte) ((random.nextInt(100) != 0) ? alphabet[random.nextInt(alphabet.length)]
						: random.nextInt());
			}
			assertThat(this.pool.get(bytes, from, to))
				.isEqualTo(new String(bytes, from, to - from, StandardCharsets.UTF_8));
		}
	}

	@Test
	void bytesThatAreNotUtf8AreNotTakenForAStringThatHasTheirCodePoints() {
		byte[] surrogate = { (byte) 0xed, (byte) 0xa0, (byte) 0x80 };
		byte[] overlong = { (byte) 0xc1, (byte) 0xa1 };
		this.pool.get("\ud800");
		this.pool.get("a");
		assertThat(this.pool.get(surrogate, 0, 3)).isEqualTo(new String(surrogate, StandardCharsets.UTF_8));
		assertThat(this.pool.get(overlong, 0, 2)).isEqualTo(new String(overlong, StandardCharsets.UTF_8));
	}

	@Test
	void emptyStringIsTheEmptyString() {
		assertThat(this.pool.get(new byte[3], 2, 2)).isSameAs("");
		assertThat(this.pool.get(new char[3], 2, 0)).isSameAs("");
		assertThat(this.pool.get("")).isEmpty();
	}

	@Test
	void longStringsAreNotRemembered() {
		byte[] bytes = new byte[1000];
		Arrays.fill(bytes, (byte) 'a');
		assertThat(this.pool.get(bytes, 0, 128)).isSameAs(this.pool.get(bytes, 0, 128));
		assertThat(this.pool.get(bytes, 0, 129)).hasSize(129).isNotSameAs(this.pool.get(bytes, 0, 129));
		String text = "b".repeat(129);
		assertThat(this.pool.get(text)).isSameAs(text);
		assertThat(this.pool.get(new String(text))).isNotSameAs(text);
		assertThat(this.pool.get(text.toCharArray(), 0, 129)).isEqualTo(text);
	}

	@Test
	void stringsThatRepeatSurviveThoseThatDoNot() {
		String[] repeated = new String[100];
		for (int i = 0; i < repeated.length; i++) {
			repeated[i] = this.pool.get(new String("repeated-" + i));
			this.pool.get(new String("repeated-" + i));
		}
		int kept = 0;
		for (int round = 0; round < 1000; round++) {
			for (int i = 0; i < 100; i++) {
				this.pool.get("unique-" + round + "-" + i);
			}
			for (int i = 0; i < repeated.length; i++) {
				String before = repeated[i];
				repeated[i] = this.pool.get(new String("repeated-" + i));
				kept += (repeated[i] == before) ? 1 : 0;
			}
		}
		assertThat(kept).isGreaterThan(95_000);
	}

	@Test
	void manyStringsAreFoundAgainWithinItsCapacity() {
		StringPool large = new StringPool(4096, PoolBudget.unbounded(), () -> 0);
		String[] known = new String[1000];
		for (int i = 0; i < known.length; i++) {
			known[i] = large.get(bytes("some-name-" + i), 0, bytes("some-name-" + i).length);
		}
		int found = 0;
		for (int i = 0; i < known.length; i++) {
			found += (large.get(bytes("some-name-" + i), 0, bytes("some-name-" + i).length) == known[i]) ? 1 : 0;
		}
		assertThat(found).isGreaterThan(700);
	}

	@Test
	void stringsOfObjectsThatAreGoneShouldBeForgotten() {
		AtomicInteger objects = new AtomicInteger(1000);
		PoolBudget.Share share = new PoolBudget(1 << 20).share();
		StringPool shrinking = new StringPool(4096, share, objects::get);
		String first = shrinking.get("of-an-object-that-goes");
		fill(shrinking, "a", 1000);
		long before = share.held();
		objects.set(500);
		fill(shrinking, "b", 1000);
		assertThat(share.held()).isEqualTo(before).isGreaterThan(100_000);
		objects.set(499);
		fill(shrinking, "c", 256);
		assertThat(shrinking.get(new String(first))).isNotSameAs(first);
		assertThat(share.held()).isEqualTo(64L * (shrinking.slots() - 2)).isLessThan(before);
		// The lower number counts from now on.
		fill(shrinking, "d", 1000);
		assertThat(share.held()).isEqualTo(before);
	}

	@Test
	void emptiedPoolShouldAskForMemoryAtOnce() {
		AtomicInteger objects = new AtomicInteger(1000);
		// Enough for 32 slots; the pool does not ask again for some time.
		PoolBudget.Share share = new PoolBudget(64 * 64).share();
		StringPool refused = new StringPool(4096, share, objects::get);
		fill(refused, "a", 300);
		long before = share.held();
		assertThat(before).isPositive();
		objects.set(1);
		fill(refused, "b", 250);
		assertThat(share.held()).isEqualTo(before);
	}

	private static void fill(StringPool pool, String prefix, int count) {
		for (int i = 0; i < count; i++) {
			pool.get(prefix + i);
		}
	}

	@Test
	void whatIsFoundCostsNoMemory() {
		byte[][] texts = { bytes("Running"), bytes("app.kubernetes.io/managed-by"), bytes("caf\u00e9"),
				bytes("x".repeat(128)) };
		char[] characters = "app.kubernetes.io/name".toCharArray();
		String given = new String("given");
		Runnable ask = () -> {
			for (byte[] text : texts) {
				this.pool.get(text, 0, text.length);
			}
			this.pool.get(characters, 0, characters.length);
			this.pool.get(given);
		};
		ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
		for (int i = 0; i < 1000; i++) {
			ask.run();
		}
		long before = threads.getCurrentThreadAllocatedBytes();
		for (int i = 0; i < 100_000; i++) {
			ask.run();
		}
		// One string of each round would be 2.4 MB.
		assertThat(threads.getCurrentThreadAllocatedBytes() - before).isLessThan(500_000);
	}

	@ParameterizedTest
	@ValueSource(ints = { 0, -1, 1 << 25 })
	void capacityIsWithinReason(int capacity) {
		assertThatIllegalArgumentException().isThrownBy(() -> new StringPool(capacity, PoolBudget.unbounded(), () -> 0))
			.withMessageContaining(Integer.toString(capacity));
	}

	@Test
	void bytesThatAreNotThereAreRefused() {
		assertThatExceptionOfType(IndexOutOfBoundsException.class).isThrownBy(() -> this.pool.get(new byte[2], 1, 3));
		assertThatExceptionOfType(IndexOutOfBoundsException.class).isThrownBy(() -> this.pool.get(new byte[2], 2, 1));
	}

	private static byte[] bytes(String text) {
		return text.getBytes(StandardCharsets.UTF_8);
	}

}
