package dev.kubeinformer.internal.codec.json;

import java.math.BigDecimal;
import java.time.DateTimeException;
import java.time.LocalDate;
import java.time.LocalTime;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;

import io.kubernetes.client.custom.Quantity;

import dev.kubeinformer.internal.codec.pool.KnownValues;

/**
 * Reads values that are strings in JSON, but have another type in the models: times and
 * quantities.
 */
final class JsonTexts {

	private static final int LENGTH_OF_SECONDS = "2026-01-02T03:04:05Z".length();

	private JsonTexts() {
	}

	/**
	 * Reads a time.
	 * @param text the time in the format of RFC 3339, or with the zone {@code +0000}
	 * @param known finds equal times that were read before
	 * @return the time
	 * @throws DateTimeException if the text is not a time
	 */
	static OffsetDateTime time(String text, KnownValues known) {
		// DateTimeFormatter is slow, above all when it is first used.
		if (text.length() == LENGTH_OF_SECONDS && text.charAt(4) == '-' && text.charAt(7) == '-'
				&& text.charAt(10) == 'T' && text.charAt(13) == ':' && text.charAt(16) == ':'
				&& text.charAt(19) == 'Z') {
			int year = 100 * twoDigits(text, 0) + twoDigits(text, 2);
			LocalDate date = LocalDate.of(year, twoDigits(text, 5), twoDigits(text, 8));
			LocalTime time = LocalTime.of(twoDigits(text, 11), twoDigits(text, 14), twoDigits(text, 17));
			return known.time(date.toEpochSecond(time, ZoneOffset.UTC), 0);
		}
		OffsetDateTime time = OffsetDateTime
			.parse(text.endsWith("+0000") ? text.substring(0, text.length() - "+0000".length()) + "Z" : text);
		return time.getOffset().equals(ZoneOffset.UTC) ? known.time(time.toEpochSecond(), time.getNano()) : time;
	}

	private static int twoDigits(String text, int at) {
		char tens = text.charAt(at);
		char ones = text.charAt(at + 1);
		if (tens < '0' || tens > '9' || ones < '0' || ones > '9') {
			throw new DateTimeException("not a time");
		}
		return 10 * (tens - '0') + ones - '0';
	}

	/**
	 * Reads a quantity that is written as a number.
	 * @param text the number
	 * @return the quantity
	 * @throws NumberFormatException if the number is too long
	 */
	static Quantity number(String text) {
		if (text.length() > KnownValues.LONGEST_QUANTITY) {
			throw new NumberFormatException("a quantity of %d characters".formatted(text.length()));
		}
		return new Quantity(new BigDecimal(text), Quantity.Format.DECIMAL_SI);
	}

}
