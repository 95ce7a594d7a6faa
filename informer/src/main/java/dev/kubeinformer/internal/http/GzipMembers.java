package dev.kubeinformer.internal.http;

import java.io.IOException;
import java.util.zip.CRC32;
import java.util.zip.DataFormatException;
import java.util.zip.Inflater;

import okio.Buffer;
import okio.BufferedSource;
import okio.Source;
import okio.Timeout;

import dev.kubeinformer.internal.codec.MalformedResponseException;
import dev.kubeinformer.internal.failure.FloodedWatchException;

/**
 * Inflates a body of several gzip members (RFC 1952, section 2.2) while it arrives. An
 * API server that compresses a watch (kubernetes#139308) ends a member with each flush.
 * So the content of a member must be returned before this source waits for the next
 * member. Okio's own source rejects a second member.
 */
public final class GzipMembers implements Source {

	private static final short MAGIC = (short) 0x1f8b;

	private static final int DEFLATE = 8;

	private static final int HEADER_CRC = 1 << 1;

	private static final int EXTRA = 1 << 2;

	private static final int NAME = 1 << 3;

	private static final int COMMENT = 1 << 4;

	private static final int TIME_AND_SYSTEM = 6;

	private static final int RESERVED = 0xe0;

	/**
	 * Maximum length of a name or comment in a header. Names and comments are meant for
	 * files, and servers do not send long ones.
	 */
	private static final int LONGEST_NAME = 64 * 1024;

	private static final int CHUNK = 8 * 1024;

	/** Length of the smallest member: a header and a trailer. */
	private static final int LEAST_MEMBER = 18;

	private final BufferedSource source;

	private final Inflater inflater = new Inflater(true);

	private final CRC32 crc = new CRC32();

	private final byte[] output = new byte[CHUNK];

	/** Whether the position is within a member, after its header. */
	private boolean inMember;

	/** Number of compressed bytes that were read since the last output. */
	private long wasted;

	/**
	 * Number of bytes that the inflater has received, but that are still in the buffer of
	 * the source.
	 */
	private int fed;

	private boolean closed;

	/**
	 * Creates the source.
	 * @param source the compressed body
	 */
	public GzipMembers(BufferedSource source) {
		this.source = source;
	}

	@Override
	public long read(Buffer sink, long byteCount) throws IOException {
		if (this.closed) {
			throw new IllegalStateException("closed");
		}
		if (byteCount == 0) {
			return 0;
		}
		while (this.inMember || !this.source.exhausted()) {
			if (!this.inMember) {
				readHeader();
			}
			int inflated = inflate((int) Math.min(byteCount, CHUNK));
			if (inflated > 0) {
				this.crc.update(this.output, 0, inflated);
				sink.write(this.output, 0, inflated);
				return inflated;
			}
			if (this.wasted > Filler.MOST_BYTES) {
				throw new FloodedWatchException("empty members of gzip");
			}
			if (this.inflater.finished()) {
				this.wasted += LEAST_MEMBER;
				readTrailer();
			}
			else {
				feed();
			}
		}
		return -1;
	}

	private int inflate(int atMost) throws IOException {
		try {
			int inflated = this.inflater.inflate(this.output, 0, atMost);
			int left = this.inflater.getRemaining();
			this.source.skip(this.fed - left);
			this.wasted = (inflated > 0) ? 0 : this.wasted + this.fed - left;
			this.fed = left;
			return inflated;
		}
		catch (DataFormatException ex) {
			throw malformed("a member cannot be inflated");
		}
	}

	private void feed() throws IOException {
		if (this.inflater.needsDictionary()) {
			throw malformed("a member needs a dictionary");
		}
		this.source.require(1);
		// Bytes that the inflater does not consume belong to the trailer and stay in the
		// source.
		byte[] input = this.source.peek().readByteArray(Math.min(CHUNK, this.source.getBuffer().size()));
		this.inflater.setInput(input);
		this.fed = input.length;
	}

	private void readHeader() throws IOException {
		if (this.source.readShort() != MAGIC || this.source.readByte() != DEFLATE) {
			throw malformed("a member has no valid header");
		}
		int flags = this.source.readByte();
		if ((flags & RESERVED) != 0) {
			throw malformed("a member has unknown flags");
		}
		this.source.skip(TIME_AND_SYSTEM);
		if ((flags & EXTRA) != 0) {
			this.source.skip(this.source.readShortLe() & 0xffff);
		}
		if ((flags & NAME) != 0) {
			skipText();
		}
		if ((flags & COMMENT) != 0) {
			skipText();
		}
		if ((flags & HEADER_CRC) != 0) {
			this.source.skip(Short.BYTES);
		}
		this.inMember = true;
	}

	private void skipText() throws IOException {
		long end = this.source.indexOf((byte) 0, 0, LONGEST_NAME);
		if (end < 0) {
			throw malformed("the header of a member has no end");
		}
		this.source.skip(end + 1);
	}

	private void readTrailer() throws IOException {
		if (this.source.readIntLe() != (int) this.crc.getValue()
				|| this.source.readIntLe() != (int) this.inflater.getBytesWritten()) {
			throw malformed("the checksum or length of a member is wrong");
		}
		this.inflater.reset();
		this.crc.reset();
		this.fed = 0;
		this.inMember = false;
	}

	private static MalformedResponseException malformed(String why) {
		return new MalformedResponseException("The response is not proper gzip: " + why);
	}

	@Override
	public Timeout timeout() {
		return this.source.timeout();
	}

	/** Frees the memory of the inflater. It does not close the compressed body. */
	@Override
	public void close() {
		this.closed = true;
		this.inflater.end();
	}

}
