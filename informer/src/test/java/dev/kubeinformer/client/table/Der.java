package dev.kubeinformer.client.table;

import java.io.ByteArrayOutputStream;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.util.Base64;

/**
 * Writes the few forms of DER and PEM that the JDK does not write.
 */
final class Der {

	private static final int INTEGER = 0x02;

	private static final int OCTETS = 0x04;

	private static final int SEQUENCE = 0x30;

	/** The object identifier of the curve P-256 (RFC 5480, 2.1.1.1). */
	private static final byte[] P256 = { 0x06, 0x08, 0x2a, (byte) 0x86, 0x48, (byte) 0xce, 0x3d, 0x03, 0x01, 0x07 };

	private Der() {
	}

	/**
	 * Writes a key as RFC 5915 has it.
	 * @param secret the private value of 32 bytes
	 * @param point the uncompressed public point; empty to leave it out
	 * @return the key
	 */
	static byte[] sec1(byte[] secret, byte[] point) {
		byte[] publicPart = (point.length == 0) ? point
				: value(0xa1, value(0x03, concatenated(new byte[] { 0 }, point)));
		return value(SEQUENCE,
				concatenated(value(INTEGER, new byte[] { 1 }), value(OCTETS, secret), value(0xa0, P256), publicPart));
	}

	/**
	 * Returns the 32 bytes of an integer.
	 * @param number the integer
	 * @return the bytes
	 */
	static byte[] octets32(BigInteger number) {
		byte[] signed = number.toByteArray();
		byte[] octets = new byte[32];
		int length = Math.min(32, signed.length);
		System.arraycopy(signed, signed.length - length, octets, 32 - length, length);
		return octets;
	}

	static byte[] curve() {
		return P256.clone();
	}

	static byte[] concatenated(byte[]... parts) {
		ByteArrayOutputStream all = new ByteArrayOutputStream();
		for (byte[] part : parts) {
			all.writeBytes(part);
		}
		return all.toByteArray();
	}

	private static byte[] value(int tag, byte[] content) {
		byte[] length = (content.length < 128) ? new byte[] { (byte) content.length }
				: new byte[] { (byte) 0x81, (byte) content.length };
		return concatenated(new byte[] { (byte) tag }, length, content);
	}

	/**
	 * Writes PEM.
	 * @param type the word after BEGIN
	 * @param der the content
	 * @return the text, with a newline at its end
	 */
	static String pem(String type, byte[] der) {
		String body = Base64.getMimeEncoder(64, "\n".getBytes(StandardCharsets.US_ASCII)).encodeToString(der);
		return "-----BEGIN %s-----\n%s\n-----END %s-----\n".formatted(type, body, type);
	}

}
