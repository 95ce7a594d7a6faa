package dev.kubeinformer.benchmark.josdk;

/** Desired state of a widget. */
public class WidgetSpec {

	private int size;

	private String message = "";

	public int getSize() {
		return this.size;
	}

	public void setSize(int size) {
		this.size = size;
	}

	public String getMessage() {
		return this.message;
	}

	public void setMessage(String message) {
		this.message = message;
	}

}
