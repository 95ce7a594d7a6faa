package dev.kubeinformer.test.internal.fault;

import java.io.EOFException;
import java.nio.ByteBuffer;

import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.util.Callback;
import org.eclipse.jetty.util.IteratingCallback;

/**
 * A response whose body is written in small pieces over time.
 */
final class DribbledResponse extends Response.Wrapper {

	private final ResponseFault.Dribble fault;

	private boolean begun;

	DribbledResponse(Request request, Response response, ResponseFault.Dribble fault) {
		super(request, response);
		this.fault = fault;
	}

	@Override
	public void write(boolean last, ByteBuffer content, Callback callback) {
		ByteBuffer bytes = (content != null) ? content : ByteBuffer.allocate(0);
		new Pieces(last, bytes, callback).iterate();
	}

	/**
	 * Splits one write into pieces, and waits between them.
	 */
	private final class Pieces extends IteratingCallback {

		private final boolean last;

		private final ByteBuffer content;

		private final Callback callback;

		private boolean written;

		private boolean rested;

		Pieces(boolean last, ByteBuffer content, Callback callback) {
			this.last = last;
			this.content = content;
			this.callback = callback;
		}

		@Override
		protected Action process() {
			ResponseFault.Dribble fault = DribbledResponse.this.fault;
			if (this.written && !this.content.hasRemaining()) {
				return Action.SUCCEEDED;
			}
			boolean over = fault.rule().isRemoved();
			if (DribbledResponse.this.begun && this.content.hasRemaining() && !this.rested && !over) {
				this.rested = true;
				Pause.during(fault.rule(), getRequest(), fault.every(), this::succeeded,
						() -> failed(new EOFException("The connection is cut")));
				return Action.SCHEDULED;
			}
			this.rested = false;
			this.written = true;
			int size = (over) ? this.content.remaining() : Math.min(fault.bytes(), this.content.remaining());
			DribbledResponse.this.begun |= size > 0;
			ByteBuffer piece = this.content.slice(this.content.position(), size);
			this.content.position(this.content.position() + size);
			DribbledResponse.super.write(this.last && !this.content.hasRemaining(), piece, this);
			return Action.SCHEDULED;
		}

		@Override
		protected void onCompleteSuccess() {
			this.callback.succeeded();
		}

		@Override
		protected void onCompleteFailure(Throwable cause) {
			this.callback.failed(cause);
		}

	}

}
