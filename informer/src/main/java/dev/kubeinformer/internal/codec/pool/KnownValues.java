package dev.kubeinformer.internal.codec.pool;

import java.time.LocalDate;
import java.time.LocalTime;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.function.IntSupplier;

import io.kubernetes.client.custom.IntOrString;
import io.kubernetes.client.custom.Quantity;

/**
 * Pool of immutable values that were read before, such as strings and times. It replaces
 * equal values of many objects by one instance. The number of strings is limited. Other
 * values are in a hash table in which a new value replaces the old one at the same
 * position.
 * <p>
 * Not thread-safe: each reflector has its own pool, for JSON and protobuf.
 */
public final class KnownValues {

	/** Default number of strings. */
	public static final int STRINGS = 16 * 1024;

	/**
	 * Maximum length of a text that is parsed as a quantity. Numbers in Kubernetes have
	 * 64 bits; a quantity also has nine decimal places and a suffix. The limit is needed
	 * because the time to parse a number grows with the square of its length.
	 */
	public static final int LONGEST_QUANTITY = 64;

	private static final int PLACES = 256;

	private static final int TIMES = 1024;

	private static final int REFERENCE = 4;

	private static final int SECONDS_A_DAY = 24 * 60 * 60;

	private final StringPool strings;

	private final ValuePlaces<Integer> integers;

	private final ValuePlaces<Long> longs;

	private final ValuePlaces<OffsetDateTime> times;

	private final ValuePlaces<LocalTime> timesOfDay;

	private final ValuePlaces<LocalDate> dates;

	private final ValuePlaces<IntOrString> ports;

	private final ValuePlaces<IntOrString> portNames;

	private final ValuePlaces<KnownQuantity> quantities;

	/**
	 * Creates an empty pool.
	 */
	public KnownValues() {
		this(STRINGS);
	}

	/**
	 * Creates an empty pool for a number of strings.
	 * @param strings the maximum number of strings, rounded up to a power of two of at
	 * least 64
	 * @throws IllegalArgumentException if the number is not positive or above 2^24
	 */
	public KnownValues(int strings) {
		this(strings, PoolBudget.unbounded(), () -> 0);
	}

	/**
	 * Creates an empty pool that reserves its memory in a budget.
	 * @param strings the maximum number of strings, rounded up to a power of two of at
	 * least 64
	 * @param share the share in the memory budget
	 * @param present supplies the current number of cached objects; zero if unknown
	 * @throws IllegalArgumentException if the number is not positive or above 2^24
	 */
	public KnownValues(int strings, PoolBudget.Share share, IntSupplier present) {
		this.strings = new StringPool(strings, share, present);
		this.integers = new ValuePlaces<>(PLACES, REFERENCE + 16, share);
		this.longs = new ValuePlaces<>(PLACES, REFERENCE + 24, share);
		this.times = new ValuePlaces<>(TIMES, REFERENCE + 48, share);
		this.timesOfDay = new ValuePlaces<>(TIMES, REFERENCE + 24, share);
		this.dates = new ValuePlaces<>(PLACES, REFERENCE + 24, share);
		this.ports = new ValuePlaces<>(PLACES, REFERENCE + 40, share);
		this.portNames = new ValuePlaces<>(PLACES, REFERENCE + 24, share);
		this.quantities = new ValuePlaces<>(PLACES, REFERENCE + 112, share);
	}

	/**
	 * Returns the string that is encoded in bytes.
	 * @param utf8 the array with the bytes
	 * @param from the index of the first byte
	 * @param to the index after the last byte
	 * @return the string
	 */
	public String string(byte[] utf8, int from, int to) {
		return this.strings.get(utf8, from, to);
	}

	/**
	 * Returns the string that consists of characters.
	 * @param text the array with the characters
	 * @param from the index of the first character
	 * @param length the number of characters
	 * @return the string
	 */
	public String string(char[] text, int from, int length) {
		return this.strings.get(text, from, length);
	}

	/**
	 * Returns the pooled instance of a string.
	 * @param text the string
	 * @return an equal string, which may be the given one
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
		Integer known = this.integers.get(value);
		return (known != null && known == value) ? known : this.integers.put(value, value);
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
		int hash = Long.hashCode(value);
		Long known = this.longs.get(hash);
		return (known != null && known == value) ? known : this.longs.put(hash, value);
	}

	/**
	 * Returns a number for a field that can also be a string.
	 * @param value the number
	 * @return the object
	 */
	public IntOrString intOrString(int value) {
		IntOrString known = this.ports.get(value);
		return (known != null && known.getIntValue() == value) ? known : this.ports.put(value, new IntOrString(value));
	}

	/**
	 * Returns a string for a field that can also be a number.
	 * @param value the string
	 * @return the object
	 */
	public IntOrString intOrString(String value) {
		int hash = value.hashCode();
		IntOrString known = this.portNames.get(hash);
		return (known != null && value.equals(known.getStrValue())) ? known
				: this.portNames.put(hash, new IntOrString(value));
	}

	/**
	 * Returns the quantity that a text describes.
	 * @param text the text
	 * @return the quantity
	 * @throws RuntimeException if the text is not a quantity; the message may quote the
	 * text
	 */
	public Quantity quantity(String text) {
		if (text.length() > LONGEST_QUANTITY) {
			throw new NumberFormatException("a quantity of %d characters".formatted(text.length()));
		}
		int hash = text.hashCode();
		KnownQuantity known = this.quantities.get(hash);
		if (known == null || !text.equals(known.text())) {
			known = this.quantities.put(hash, new KnownQuantity(text, Quantity.fromString(text)));
		}
		return known.quantity();
	}

	/**
	 * Returns a time in UTC.
	 * @param seconds the seconds since 1970
	 * @param nanos the nanoseconds of the second
	 * @return the time
	 * @throws java.time.DateTimeException if the time does not exist
	 */
	public OffsetDateTime time(long seconds, int nanos) {
		if (nanos != 0) {
			return OffsetDateTime.of(date(seconds), timeOfDay(seconds).withNano(nanos), ZoneOffset.UTC);
		}
		int hash = Long.hashCode(seconds);
		OffsetDateTime known = this.times.get(hash);
		return (known != null && known.toEpochSecond() == seconds) ? known
				: this.times.put(hash, OffsetDateTime.of(date(seconds), timeOfDay(seconds), ZoneOffset.UTC));
	}

	private LocalDate date(long seconds) {
		long day = Math.floorDiv(seconds, SECONDS_A_DAY);
		int hash = Long.hashCode(day);
		LocalDate known = this.dates.get(hash);
		return (known != null && known.toEpochDay() == day) ? known : this.dates.put(hash, LocalDate.ofEpochDay(day));
	}

	private LocalTime timeOfDay(long seconds) {
		int second = Math.floorMod(seconds, SECONDS_A_DAY);
		LocalTime known = this.timesOfDay.get(second);
		return (known != null && known.toSecondOfDay() == second) ? known
				: this.timesOfDay.put(second, LocalTime.ofSecondOfDay(second));
	}

	/**
	 * Quantity with the text that it was parsed from.
	 *
	 * @param text the text
	 * @param quantity the quantity
	 */
	private record KnownQuantity(String text, Quantity quantity) {

	}

}
