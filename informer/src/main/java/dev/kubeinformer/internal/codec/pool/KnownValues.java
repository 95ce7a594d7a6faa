package dev.kubeinformer.internal.codec.pool;

import java.time.LocalDate;
import java.time.LocalTime;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;

import io.kubernetes.client.custom.IntOrString;
import io.kubernetes.client.custom.Quantity;
import org.jspecify.annotations.Nullable;

/**
 * Pool of the values that objects had before, so that what is equal in many of them is
 * one instance. None of them can be changed. Of strings it knows a bounded number; of the
 * other values, each place holds the newest of those that belong there.
 * <p>
 * It is not thread-safe: each reflector has its own, whatever its objects come in.
 */
public final class KnownValues {

	/** How many strings are known unless something else is said. */
	public static final int STRINGS = 16 * 1024;

	/**
	 * The length of the longest text that is read as a quantity. Numbers of Kubernetes
	 * have 64 bits and suffixes, its quantities nine decimal places beside. The time to
	 * read a number grows with the square of its length.
	 */
	public static final int LONGEST_QUANTITY = 64;

	private static final int PLACES = 256;

	private static final int TIMES = 1024;

	private static final int SECONDS_A_DAY = 24 * 60 * 60;

	private final StringPool strings;

	private final @Nullable Integer[] integers = new Integer[PLACES];

	private final @Nullable Long[] longs = new Long[PLACES];

	private final @Nullable OffsetDateTime[] times = new OffsetDateTime[TIMES];

	private final @Nullable LocalTime[] timesOfDay = new LocalTime[TIMES];

	private final @Nullable LocalDate[] dates = new LocalDate[PLACES];

	private final @Nullable IntOrString[] ports = new IntOrString[PLACES];

	private final @Nullable IntOrString[] portNames = new IntOrString[PLACES];

	private final @Nullable String[] quantityTexts = new String[PLACES];

	private final @Nullable Quantity[] quantities = new Quantity[PLACES];

	/**
	 * Creates one that knows nothing yet.
	 */
	public KnownValues() {
		this(STRINGS);
	}

	/**
	 * Creates one that knows nothing yet.
	 * @param strings how many strings it remembers at most; rounded up to a power of two
	 * of at least 64
	 * @throws IllegalArgumentException if that is not positive or above 2^24
	 */
	public KnownValues(int strings) {
		this.strings = new StringPool(strings);
	}

	/**
	 * Returns the string of some bytes.
	 * @param utf8 the array with the bytes
	 * @param from index of the first byte
	 * @param to index after the last one
	 * @return the string
	 */
	public String string(byte[] utf8, int from, int to) {
		return this.strings.get(utf8, from, to);
	}

	/**
	 * Returns the string of some characters.
	 * @param text the array with the characters
	 * @param from index of the first one
	 * @param length how many there are
	 * @return the string
	 */
	public String string(char[] text, int from, int length) {
		return this.strings.get(text, from, length);
	}

	/**
	 * Returns an equal string that was there before, else this one.
	 * @param text the string
	 * @return an equal string
	 */
	public String string(String text) {
		return this.strings.get(text);
	}

	/**
	 * Returns a number as an object.
	 * @param value the number
	 * @return the object
	 */
	public Integer boxed(int value) {
		if (value >= -128 && value < 128) {
			return value;
		}
		int place = place(value, PLACES);
		Integer known = this.integers[place];
		if (known == null || known != value) {
			known = value;
			this.integers[place] = known;
		}
		return known;
	}

	/**
	 * Returns a number as an object.
	 * @param value the number
	 * @return the object
	 */
	public Long boxed(long value) {
		if (value >= -128 && value < 128) {
			return value;
		}
		int place = place(Long.hashCode(value), PLACES);
		Long known = this.longs[place];
		if (known == null || known != value) {
			known = value;
			this.longs[place] = known;
		}
		return known;
	}

	/**
	 * Returns a number where a string may be, too.
	 * @param value the number
	 * @return the object
	 */
	public IntOrString intOrString(int value) {
		int place = place(value, PLACES);
		IntOrString known = this.ports[place];
		if (known == null || known.getIntValue() != value) {
			known = new IntOrString(value);
			this.ports[place] = known;
		}
		return known;
	}

	/**
	 * Returns a string where a number may be, too.
	 * @param value the string
	 * @return the object
	 */
	public IntOrString intOrString(String value) {
		int place = place(value.hashCode(), PLACES);
		IntOrString known = this.portNames[place];
		if (known == null || !value.equals(known.getStrValue())) {
			known = new IntOrString(value);
			this.portNames[place] = known;
		}
		return known;
	}

	/**
	 * Returns the quantity of a text.
	 * @param text the text
	 * @return the quantity
	 * @throws RuntimeException if it is none; its message may quote the text
	 */
	public Quantity quantity(String text) {
		if (text.length() > LONGEST_QUANTITY) {
			throw new NumberFormatException("a quantity of %d characters".formatted(text.length()));
		}
		int place = place(text.hashCode(), PLACES);
		Quantity known = this.quantities[place];
		if (known == null || !text.equals(this.quantityTexts[place])) {
			known = Quantity.fromString(text);
			this.quantities[place] = known;
			this.quantityTexts[place] = text;
		}
		return known;
	}

	/**
	 * Returns a time in UTC.
	 * @param seconds since 1970
	 * @param nanos of the second
	 * @return the time
	 * @throws java.time.DateTimeException if there is no such time
	 */
	public OffsetDateTime time(long seconds, int nanos) {
		if (nanos != 0) {
			return OffsetDateTime.of(date(seconds), timeOfDay(seconds).withNano(nanos), ZoneOffset.UTC);
		}
		int place = place(Long.hashCode(seconds), TIMES);
		OffsetDateTime known = this.times[place];
		if (known == null || known.toEpochSecond() != seconds) {
			known = OffsetDateTime.of(date(seconds), timeOfDay(seconds), ZoneOffset.UTC);
			this.times[place] = known;
		}
		return known;
	}

	private LocalDate date(long seconds) {
		long day = Math.floorDiv(seconds, SECONDS_A_DAY);
		int place = place(Long.hashCode(day), PLACES);
		LocalDate known = this.dates[place];
		if (known == null || known.toEpochDay() != day) {
			known = LocalDate.ofEpochDay(day);
			this.dates[place] = known;
		}
		return known;
	}

	private LocalTime timeOfDay(long seconds) {
		int second = Math.floorMod(seconds, SECONDS_A_DAY);
		int place = place(second, TIMES);
		LocalTime known = this.timesOfDay[place];
		if (known == null || known.toSecondOfDay() != second) {
			known = LocalTime.ofSecondOfDay(second);
			this.timesOfDay[place] = known;
		}
		return known;
	}

	private static int place(int hash, int places) {
		// Multiplied by the golden ratio, all bits of the hash are in the upper ones.
		return (hash * 0x9E3779B9) >>> (Integer.numberOfLeadingZeros(places) + 1);
	}

}
