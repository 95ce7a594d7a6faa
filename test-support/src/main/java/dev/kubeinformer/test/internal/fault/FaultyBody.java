package dev.kubeinformer.test.internal.fault;

import java.io.EOFException;
import java.nio.ByteBuffer;
import java.util.Arrays;

import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.util.IteratingCallback;
import org.jspecify.annotations.Nullable;

import dev.kubeinformer.test.internal.http.Connections;
import dev.kubeinformer.test.internal.http.Exchange;

/**
 * Writes the body of a list or object, and applies the fault of the response in the
 * middle.
 */
public final class FaultyBody extends IteratingCallback {

	private final Exchange exchange;

	private final Response response;

	private final ResponseFault.Body fault;

	private final byte[] before;

	private final byte[] next;

	private final byte[] rest;

	private State state = State.BEGIN;

	/**
	 * Creates the body.
	 * @param exchange the request
	 * @param status the status code
	 * @param fault the fault
	 * @param before the part before the fault, which is written as usual
	 * @param next the next part, in which the fault happens
	 * @param rest the rest of the body
	 */
	public FaultyBody(Exchange exchange, int status, ResponseFault.Body fault, byte[] before, byte[] next,
			byte[] rest) {
		this.exchange = exchange;
		this.response = exchange.begin(status, Exchange.JSON);
		this.fault = fault;
		this.before = before;
		this.next = next;
		this.rest = rest;
	}

	@Override
	protected Action process() throws EOFException {
		switch (this.state) {
			case BEGIN -> write(State.FAULT, this.before);
			case FAULT -> goWrong();
			case REST -> write(State.END, this.next, this.rest);
			case CUT -> throw new EOFException("The body is cut");
			case END -> {
				return Action.SUCCEEDED;
			}
		}
		return Action.SCHEDULED;
	}

	private void goWrong() {
		byte[] half = Arrays.copyOf(this.next, this.next.length / 2);
		if (!this.fault.isInForce()) {
			write(State.END, this.next, this.rest);
			return;
		}
		switch (this.fault.kind()) {
			case CUT -> write(State.CUT, half);
			case TRUNCATE -> write(State.END, half);
			case GARBAGE -> write(State.END, this.fault.garbage(), this.next, this.rest);
			case FREEZE -> {
				this.state = State.REST;
				Pause.whileInForce(this.fault.rule(), this.exchange.request(), this::succeeded,
						() -> failed(new EOFException("The connection is cut")));
			}
			default -> write(State.END, this.next, this.rest);
		}
	}

	private void write(State then, byte[]... parts) {
		this.state = then;
		ByteBuffer bytes = ByteBuffer.allocate(Arrays.stream(parts).mapToInt((part) -> part.length).sum());
		for (byte[] part : parts) {
			bytes.put(part);
		}
		this.response.write(then == State.END, bytes.flip(), this);
	}

	@Override
	protected void onCompleted(@Nullable Throwable cause) {
		if (cause == null) {
			this.exchange.callback().succeeded();
		}
		else {
			Connections.cut(this.exchange.request(), this.exchange.callback());
		}
	}

	/**
	 * Next action of the writer.
	 */
	private enum State {

		BEGIN, FAULT, REST, CUT, END

	}

}
