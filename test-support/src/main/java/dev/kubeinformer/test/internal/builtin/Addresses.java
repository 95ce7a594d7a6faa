package dev.kubeinformer.test.internal.builtin;

import java.math.BigInteger;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.regex.Pattern;

import org.jspecify.annotations.Nullable;

/**
 * Checks IP addresses and ranges of addresses.
 */
final class Addresses {

	private static final Pattern V4 = Pattern.compile("[0-9]{1,3}(\\.[0-9]{1,3}){3}");

	private static final Pattern V6 = Pattern.compile("[0-9a-fA-F:.]*:[0-9a-fA-F:.]*");

	private Addresses() {
	}

	static boolean isAddress(String text) {
		return bytes(text) != null;
	}

	// Returns the bytes; null if the text is not an address. No name is resolved.
	private static byte @Nullable [] bytes(String text) {
		if (!V4.matcher(text).matches() && !V6.matcher(text).matches()) {
			return null;
		}
		try {
			return InetAddress.getByName(text).getAddress();
		}
		catch (UnknownHostException ex) {
			return null;
		}
	}

	static void requireAddress(Part address) {
		if (!isAddress(address.text())) {
			address.invalid("must be a valid IP address, (e.g. 10.9.8.7 or 2001:db8::ffff)");
		}
	}

	// Returns whether the range is valid.
	static boolean requireRange(Part range) {
		if (range(range.text()) == null) {
			range.invalid("must be a valid CIDR value, (e.g. 10.9.8.0/24 or 2001:db8::/64)");
			return false;
		}
		return true;
	}

	static @Nullable Range range(String text) {
		String[] parts = text.split("/", -1);
		byte[] address = (parts.length == 2) ? bytes(parts[0]) : null;
		if (address == null || !parts[1].matches("[0-9]{1,3}")) {
			return null;
		}
		int length = Integer.parseInt(parts[1]);
		return (length <= address.length * 8) ? new Range(new BigInteger(1, address), address.length * 8, length)
				: null;
	}

	/**
	 * Range of addresses.
	 *
	 * @param address an address in it
	 * @param bits the number of bits of an address
	 * @param length the number of leading bits that are the same in all addresses of the
	 * range
	 */
	record Range(BigInteger address, int bits, int length) {

		boolean strictlyContains(Range other) {
			int rest = this.bits - this.length;
			return other.bits == this.bits && other.length > this.length
					&& other.address.shiftRight(rest).equals(this.address.shiftRight(rest));
		}

	}

}
