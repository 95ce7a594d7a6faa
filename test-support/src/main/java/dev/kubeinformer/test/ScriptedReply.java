package dev.kubeinformer.test;

import java.time.Duration;

import dev.kubeinformer.test.internal.json.Json;
import dev.kubeinformer.test.internal.scripted.ReplyStep;
import dev.kubeinformer.test.internal.scripted.Script;
import dev.kubeinformer.test.internal.status.Statuses;

/**
 * Response of a {@link ScriptedApiServer} to one request: a sequence of steps. The bytes
 * of each step are written immediately, as a separate chunk. Without {@link #end()} or
 * {@link #reset()} the response stays open, and later steps are executed when they are
 * added. Status and headers can be set only until the request arrives. Thread-safe.
 */
public final class ScriptedReply {

	private final Script script = new Script();

	ScriptedReply() {
	}

	/**
	 * Responds with a complete body and ends.
	 * @param status the HTTP status code
	 * @param body the body
	 * @return this
	 */
	public ScriptedReply json(int status, String body) {
		return body(status, Json.utf8(body));
	}

	/**
	 * Responds with a complete body and ends. The content type is JSON unless a header
	 * sets another one.
	 * @param status the HTTP status code
	 * @param body the body
	 * @return this
	 */
	public ScriptedReply body(int status, byte[] body) {
		this.script.body(status, body);
		return this;
	}

	/**
	 * Responds with a Status object and ends.
	 * @param status the HTTP status code
	 * @return this
	 */
	public ScriptedReply status(int status) {
		return json(status, statusJson(status, "scripted by the test"));
	}

	/**
	 * Sets a header.
	 * @param name its name
	 * @param value its value
	 * @return this
	 */
	public ScriptedReply header(String name, String value) {
		this.script.header(name, value);
		return this;
	}

	/**
	 * Sets the header {@code Retry-After}, which tells the client how long to wait.
	 * @param delay the delay, in whole seconds
	 * @return this
	 */
	public ScriptedReply retryAfter(Duration delay) {
		return header("Retry-After", Long.toString(Checks.notNegative("Time to wait", delay).toSeconds()));
	}

	/**
	 * Writes a watch event.
	 * @param type its type, such as "ADDED"
	 * @param object its object as JSON
	 * @return this
	 */
	public ScriptedReply event(String type, String object) {
		return line("{\"type\":\"" + type + "\",\"object\":" + object + "}");
	}

	/**
	 * Writes a bookmark of the watched resource.
	 * @param resourceVersion its version
	 * @return this
	 */
	public ScriptedReply bookmark(String resourceVersion) {
		return bookmarkOf("{\"resourceVersion\":\"" + resourceVersion + "\"}");
	}

	/**
	 * Writes the bookmark that ends the initial events of a streaming list.
	 * @param resourceVersion its version
	 * @return this
	 */
	public ScriptedReply initialEventsEnd(String resourceVersion) {
		return bookmarkOf("{\"resourceVersion\":\"" + resourceVersion
				+ "\",\"annotations\":{\"k8s.io/initial-events-end\":\"true\"}}");
	}

	private ScriptedReply bookmarkOf(String metadata) {
		return add(new ReplyStep.Write(
				(resource) -> Json.utf8("{\"type\":\"BOOKMARK\",\"object\":{\"kind\":\"" + resource.kind()
						+ "\",\"apiVersion\":\"" + resource.groupVersion() + "\",\"metadata\":" + metadata + "}}\n")));
	}

	/**
	 * Writes an ERROR event.
	 * @param status the code of its Status object, such as 410
	 * @param message the message of its Status object
	 * @return this
	 */
	public ScriptedReply error(int status, String message) {
		return event("ERROR", statusJson(status, message));
	}

	/**
	 * Writes any line.
	 * @param line the line without its end
	 * @return this
	 */
	public ScriptedReply line(String line) {
		return chunk(Json.utf8(line + "\n"));
	}

	/**
	 * Writes any bytes.
	 * @param bytes the bytes
	 * @return this
	 */
	public ScriptedReply chunk(byte[] bytes) {
		return add(new ReplyStep.Write((resource) -> bytes));
	}

	/**
	 * Waits before the next step.
	 * @param duration the time to wait
	 * @return this
	 */
	public ScriptedReply delay(Duration duration) {
		return add(new ReplyStep.Delay(Checks.notNegative("Delay", duration)));
	}

	/**
	 * Leaves the response open. This is the default; the method makes it explicit in the
	 * script.
	 * @return this
	 */
	public ScriptedReply hold() {
		return this;
	}

	/**
	 * Ends the response in an orderly way.
	 * @return this
	 */
	public ScriptedReply end() {
		return add(new ReplyStep.End());
	}

	/**
	 * Cuts the connection in the middle of the body; with HTTP/2 resets the stream.
	 * @return this
	 */
	public ScriptedReply reset() {
		return add(new ReplyStep.Reset());
	}

	/**
	 * Closes the connection in an orderly way (without a reset) and sends no response.
	 * With HTTP/2 this ends all requests of the connection. Can be set only until the
	 * request arrives.
	 * @return this
	 */
	public ScriptedReply hangUp() {
		this.script.noAnswer(Script.NoAnswer.END);
		return this;
	}

	/**
	 * Resets the connection (TCP RST) without any response; with HTTP/2 resets the
	 * stream. Can be set only until the request arrives.
	 * @return this
	 */
	public ScriptedReply refuse() {
		this.script.noAnswer(Script.NoAnswer.RESET);
		return this;
	}

	private static String statusJson(int status, String message) {
		return Statuses.of(status, message).status().toString();
	}

	private ScriptedReply add(ReplyStep step) {
		this.script.add(step);
		return this;
	}

	// Script that the server executes.
	Script script() {
		return this.script;
	}

}
