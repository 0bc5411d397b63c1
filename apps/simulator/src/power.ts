// Power of one start of a cabinet: once it is off, nothing that was going on goes on.

export class Power {
  private on = true;

  isOn(): boolean {
    return this.on;
  }

  cut(): void {
    this.on = false;
  }

  /** The promise's outcome, or no outcome ever if the power went off meanwhile. */
  async whileOn<T>(work: Promise<T>): Promise<T> {
    const outcome = await work.then(
      (value) => () => value,
      (error: unknown) => () => {
        throw error;
      },
    );
    if (!this.on) await new Promise(() => {});
    return outcome();
  }
}
